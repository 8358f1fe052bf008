import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import sharp from "sharp"
import { expect, test } from "vitest"
import { defineTool } from "../../acts/tool/tool.ts"
import { readDataUrl, toDataUrl } from "../../ground/media/data-url.ts"
import { readPictureHead } from "../../ground/media/picture-head.ts"
import type { PromptPart, ToolPart } from "../../ground/schema/index.ts"
import { extensionOf } from "../../test/extension-of.ts"
import { pdfOf, pngOf } from "../../test/pictures.ts"
import type { Reply } from "../../test/strict-provider/reply.ts"
import { type Asked, formats } from "../../test/strict-provider/start-strict-provider.ts"
import { type StrictRuntime, strictRuntime } from "../../test/strict-provider/strict-runtime.ts"

const pasted = pngOf(30, 20)
const stored = pngOf(50, 40, { colour: [0, 160, 60] })
const sentAs = (bytes: Buffer) => bytes.toString("base64")

function prompt(text: string, ...files: { bytes: Buffer; mime: string; filename: string }[]): { parts: PromptPart[] } {
  const parts = files.map(
    ({ bytes, mime, filename }): PromptPart => ({ type: "file", mime, url: toDataUrl(mime, bytes), filename }),
  )
  return { parts: [{ type: "text", text }, ...parts] }
}

/** First the calls, then an answer. */
const calling =
  (...calls: { id: string; tool: string; input: object }[]) =>
  ({ count }: Asked): Reply =>
    count === 0 ? { calls } : { text: "Seen." }

function sent(strict: StrictRuntime, at = -1): string {
  return JSON.stringify(strict.provider.requests.at(at)?.body)
}

async function toolParts({ host }: StrictRuntime): Promise<ToolPart[]> {
  const { items } = await host.messages()
  return items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

test.each(formats)("pictures of a prompt and of read reach %s", async (format) => {
  await using strict = await strictRuntime(calling({ id: "c1", tool: "read", input: { filePath: "shot.png" } }))
  await writeFile(join(strict.host.directory, "shot.png"), stored)
  const turn = await strict.ask(format, prompt("Compare", { bytes: pasted, mime: "image/png", filename: "a.png" }))
  expect(turn).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
  expect(sent(strict)).toContain(sentAs(pasted))
  expect(sent(strict)).toContain(sentAs(stored))
  // Rows and the queued turn name the contents alone.
  const rows = JSON.stringify([await strict.host.messages(), turn])
  expect(rows).not.toContain(sentAs(pasted).slice(20, 60))
  expect(rows).toContain("attachment:")
})

test.each(formats)("pictures in a batch and a PDF reach %s", async (format) => {
  const reads = ["shot.png", "paper.pdf"].map((filePath) => ({ tool: "read", parameters: { filePath } }))
  await using strict = await strictRuntime(calling({ id: "c1", tool: "batch", input: { tool_calls: reads } }), {
    models: { compatible: { modalities: { input: ["text", "image", "pdf"] } } },
  })
  await writeFile(join(strict.host.directory, "shot.png"), stored)
  await writeFile(join(strict.host.directory, "paper.pdf"), pdfOf(2))
  expect(await strict.ask(format, "Read both")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
  expect(sent(strict)).toContain(sentAs(stored))
  expect(sent(strict)).toContain(sentAs(pdfOf(2)))
})

test("a model that cannot see reads a picture's name and size", async () => {
  const script = calling({ id: "c1", tool: "read", input: { filePath: "shot.png" } })
  await using strict = await strictRuntime(script, { models: { compatible: { modalities: { input: ["text"] } } } })
  await writeFile(join(strict.host.directory, "shot.png"), stored)
  await strict.ask("compatible", prompt("Look", { bytes: pasted, mime: "image/png", filename: "a.png" }))
  expect(sent(strict)).toContain("[picture: a.png, 1 KB]")
  expect(sent(strict)).toContain("[picture: shot.png, 1 KB]")
  expect(sent(strict)).not.toContain(sentAs(stored))
  expect((await toolParts(strict))[0]?.state).toMatchObject({ attachments: [{ width: 50, height: 40 }] })
})

test("a picture over the provider's limits is sent smaller and kept whole", async () => {
  await using strict = await strictRuntime(() => ({ text: "Seen." }))
  const wide = await sharp({ create: { width: 5_000, height: 100, channels: 3, background: "#08f" } })
    .png()
    .toBuffer()
  await strict.ask("anthropic", prompt("Look", { bytes: wide, mime: "image/png", filename: "wide.png" }))
  expect(strict.provider.refusals).toEqual([])
  const [, data = ""] = /"data":"([A-Za-z0-9+/=]+)"/.exec(sent(strict)) ?? []
  expect(readPictureHead(Buffer.from(data, "base64"))).toMatchObject({ width: 2_000, height: 40 })
  const { items } = await strict.host.messages()
  expect(items[0]?.parts[1]).toMatchObject({ width: 5_000, height: 100, size: wide.length })
})

test("more pictures than a provider takes: the newest are sent", async () => {
  await using strict = await strictRuntime(() => ({ text: "Seen." }))
  const pictures = Array.from({ length: 22 }, (_, index) => ({
    bytes: pngOf(10 + index, 10),
    mime: "image/png",
    filename: `${index}.png`,
  }))
  await strict.ask("compatible", prompt("Look", ...pictures))
  expect(sent(strict).match(/image_url":\{/g)).toHaveLength(20)
  expect(sent(strict)).toContain("[picture: 1.png, 1 KB] It was left out: this provider takes 20 pictures")
  expect(sent(strict)).toContain(sentAs(pictures[21]?.bytes ?? Buffer.alloc(0)))
})

test("a broken picture refuses the prompt, and the session goes on", async () => {
  await using strict = await strictRuntime(() => ({ text: "Fine." }))
  const broken = { bytes: pasted.subarray(0, 60), mime: "image/png", filename: "b.png" }
  await expect(strict.ask("anthropic", prompt("Look", broken))).rejects.toThrow("The file b.png is a broken picture")
  expect(await strict.ask("anthropic", "Go on")).toMatchObject({ status: "completed" })
})

test("a mentioned picture is attached", async () => {
  await using strict = await strictRuntime(() => ({ text: "Seen." }))
  const path = join(strict.host.directory, "shot.png")
  await writeFile(path, stored)
  const file: PromptPart = { type: "file", mime: "image/png", url: `file://${path}`, filename: "shot.png" }
  await strict.ask("openai", { parts: [{ type: "text", text: "See @shot.png" }, file] })
  expect(sent(strict)).toContain(sentAs(stored))
  expect((await strict.host.messages()).items[0]?.parts[1]).toMatchObject({ filename: "shot.png", width: 50 })
})

test("a picture whose file is damaged is named, the turn completes", async () => {
  await using strict = await strictRuntime(() => ({ text: "Seen." }))
  await strict.ask("anthropic", prompt("Look", { bytes: pasted, mime: "image/png", filename: "a.png" }))
  const root = join(strict.host.directory, ".data/attachments")
  const names = await readdir(root, { recursive: true })
  const content = names.find((name) => /^[0-9a-f]{2}\/[0-9a-f]{64}$/.test(name)) ?? ""
  await writeFile(join(root, content), "damaged")
  expect(await strict.ask("anthropic", "Again")).toMatchObject({ status: "completed" })
  expect(sent(strict)).toContain("[picture: a.png, 1 KB] It is not there any more.")
})

test("a tool's broken picture is left out with the reason", async () => {
  const draw = defineTool({
    id: "draw",
    description: "Draws.",
    parameters: { jsonSchema: { type: "object", properties: {} }, parse: (args: unknown) => ({ args }) },
    permission: "draw",
    parallel: true,
    execute: async () => ({
      title: "Drawn",
      output: "Drawn.",
      attachments: [{ mime: "image/png", url: toDataUrl("image/png", pasted.subarray(0, 60)), filename: "x.png" }],
      metadata: {},
    }),
  })
  expect(readDataUrl(toDataUrl("image/png", pasted))?.bytes).toEqual(pasted)
  const script = calling({ id: "c1", tool: "draw", input: {} })
  await using strict = await strictRuntime(script, { extensions: [extensionOf({ tools: () => [draw] })] })
  expect(await strict.ask("openai", "Draw")).toMatchObject({ status: "completed", error: null })
  const [{ state } = { state: null }] = await toolParts(strict)
  expect(state).toMatchObject({ output: expect.stringContaining("[The file x.png was left out: it is a broken") })
  expect(state).not.toHaveProperty("attachments")
})

test("a model's picture is kept, and goes back to it alone", async () => {
  const picture = { mimeType: "image/png", data: sentAs(stored) }
  await using strict = await strictRuntime(({ count }) =>
    count === 0 ? { text: "Here it is.", picture } : { text: "Seen." },
  )
  expect(await strict.ask("google", "Draw")).toMatchObject({ status: "completed", error: null })
  const { items } = await strict.host.messages()
  const made = items[1]?.parts.find(({ type }) => type === "file")
  expect(made).toMatchObject({ mime: "image/png", filename: "picture.png", width: 50, height: 40 })
  expect(JSON.stringify(items)).not.toContain(sentAs(stored).slice(20, 60))
  await strict.ask("google", "Again")
  expect(sent(strict)).toContain(sentAs(stored))
  await strict.ask("anthropic", "And you?")
  expect(strict.provider.refusals).toEqual([])
  expect(sent(strict)).toContain("[picture: picture.png, 1 KB] (I made it; the user sees it.)")
  expect(sent(strict)).not.toContain(sentAs(stored))
})

test("a broken picture of a model is named with the reason", async () => {
  const picture = { mimeType: "image/png", data: sentAs(stored.subarray(0, 60)) }
  await using strict = await strictRuntime(() => ({ text: "Here it is.", picture }))
  expect(await strict.ask("google", "Draw")).toMatchObject({ status: "completed", error: null })
  const made = (await strict.host.messages()).items[1]?.parts.find(({ type }) => type === "file")
  expect(made).toMatchObject({ url: "data:,", problem: expect.stringContaining("is a broken picture") })
  expect(await strict.ask("google", "Again")).toMatchObject({ status: "completed", error: null })
})
