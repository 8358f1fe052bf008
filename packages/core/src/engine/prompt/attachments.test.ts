import { createServer } from "node:http"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createGuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import { modelInputs } from "../../ground/message/model-inputs.ts"
import type { FilePart } from "../../ground/schema/index.ts"
import { noAddresses } from "../../test/no-addresses.ts"
import { formats } from "../../test/strict-provider/start-strict-provider.ts"
import { strictRuntime } from "../../test/strict-provider/strict-runtime.ts"
import { resolvePromptParts } from "./resolve-prompt-parts.ts"

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

let fetched = 0
const server = createServer((request, response) => {
  fetched++
  if (request.url === "/notes.txt")
    response.setHeader("content-type", "text/plain; charset=utf-8").end("Remember this.")
  else response.setHeader("content-type", "application/octet-stream").end(png)
})
let base = ""
beforeEach(async () => {
  fetched = 0
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  base = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : ""
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const file = (url: string, mime: string, filename?: string) => ({
  type: "file" as const,
  url,
  mime,
  ...(filename && { filename }),
})
const withText = (...files: ReturnType<typeof file>[]) => ({
  parts: [{ type: "text" as const, text: "See" }, ...files],
})

test.each(["anthropic", "openai"] as const)(
  "an address goes to %s as it is, which fetches it itself",
  async (format) => {
    await using strict = await strictRuntime(() => ({ text: "Seen." }))
    const image = "https://images.example/cat.png"
    expect(await strict.ask(format, withText(file(image, "image/png")))).toMatchObject({ status: "completed" })
    expect(JSON.stringify(strict.provider.requests[0]?.body)).toContain(`"${image}"`)
    expect(strict.provider.refusals).toEqual([])
  },
)

test.each(["google", "compatible"] as const)(
  "an address neither %s nor Docket may fetch is reported with reason",
  async (format) => {
    await using strict = await strictRuntime(() => ({ text: "I cannot see it." }))
    expect(await strict.ask(format, withText(file(`${base}/cat.png`, "image/png")))).toMatchObject({
      status: "completed",
    })
    expect(fetched).toBe(0)
    const parts = (await strict.host.messages()).items[0]?.parts ?? []
    const stored = parts.find((part): part is FilePart => part.type === "file")
    expect(stored).toMatchObject({
      url: `${base}/cat.png`,
      problem: expect.stringContaining("not on the public internet"),
    })
    expect(JSON.stringify(strict.provider.requests[0]?.body)).toContain("not on the public internet")
    expect(strict.provider.refusals).toEqual([])
  },
)

test("an address the provider cannot fetch is fetched and stored as content", async () => {
  const deps = {
    worktree: "/project",
    mayRead: () => true,
    inputs: async () => modelInputs("@ai-sdk/openai-compatible", undefined, {}),
    fetch: createGuardedFetch({ isAllowed: () => true }),
    keep: noAddresses.keep,
    signal: new AbortController().signal,
  }
  const [picture, notes] = await resolvePromptParts(
    [file(`${base}/a/cat.png`, "image/jpeg"), file(`${base}/notes.txt`, "text/plain", "notes")],
    deps,
  )
  expect(picture).toMatchObject({
    mime: "image/png",
    filename: "cat.png",
    url: `data:image/png;base64,${png.toString("base64")}`,
  })
  expect(notes).toMatchObject({ mime: "text/plain", filename: "notes" })
  expect(fetched).toBe(2)
})

test.each(formats)("attachments that %s cannot read are named, all others are sent", async (format) => {
  await using strict = await strictRuntime(() => ({ text: "Seen." }))
  const data = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64")
  const attachments = withText(
    // A picture with a wrong media type and a strange name.
    file(`data:image/jpeg;base64,${data(png)}`, "image/jpeg", 'a"\n../\ud800 cat.png'),
    file(`data:application/json;base64,${data('{"a":1}')}`, "application/json", "a.json"),
    file("data:text/plain,plain%20words", "text/plain", "b.txt"),
    file(`data:application/zip;base64,${data("PK\x03\x04")}`, "application/zip", "c.zip"),
    file("data:image/png;base64,", "image/png", "empty.png"),
  )
  expect(await strict.ask(format, attachments)).toMatchObject({ status: "completed" })
  expect(strict.provider.refusals).toEqual([])
  const sent = JSON.stringify(strict.provider.requests[0]?.body)
  expect(sent).toContain(png.toString("base64"))
  expect(sent).toMatch(/image\/png/)
  for (const words of [
    '{\\"a\\":1}',
    "plain words",
    "[file: c.zip, application/zip, 1 KB], which this model cannot read",
    "empty.png, which is empty",
  ]) {
    expect(sent).toContain(words)
  }
})

test("a long text attachment reaches the model whole and is stored once", async () => {
  await using strict = await strictRuntime(() => ({ text: "Read." }))
  const lines = Array.from({ length: 12_000 }, (_, line) => `line ${line} of a long log`).join("\n")
  const url = `data:text/plain;base64,${Buffer.from(lines).toString("base64")}`
  const attachment = file(url, "text/plain", "pasted.txt")
  expect(await strict.ask("compatible", withText(attachment))).toMatchObject({ status: "completed" })
  const sent = JSON.stringify(strict.provider.requests[0]?.body)
  expect(sent).toContain(JSON.stringify(lines).slice(1, -1))
  const parts = (await strict.host.messages()).items[0]?.parts ?? []
  expect(parts.filter(({ type }) => type === "file")).toMatchObject([
    { url: expect.stringMatching(/^attachment:[0-9a-f]{64}$/), filename: "pasted.txt", size: lines.length },
  ])
})

test("a model without image input gets only a picture's name", async () => {
  await using strict = await strictRuntime(() => ({ text: "Seen." }), {
    models: { compatible: { modalities: { input: ["text"] } } },
  })
  await strict.ask(
    "compatible",
    withText(file(`data:image/png;base64,${png.toString("base64")}`, "image/png", "cat.png")),
  )
  await strict.ask("anthropic", "And you?")
  const [blind, seeing] = strict.provider.requests.map(({ body }) => JSON.stringify(body))
  expect(blind).toContain("[picture: cat.png, 1 KB], which this model cannot read")
  expect(blind).not.toContain(png.toString("base64"))
  expect(seeing).toContain(png.toString("base64"))
})
