import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import type { PromptPart, ToolPart } from "../../ground/schema/index.ts"
import { maxAnswerLength } from "../../setup/provider/read-stream.ts"
import { answer, lastUserText, scriptedRuntime } from "../../test/scripted-runtime.ts"

const kilobyte = "x".repeat(1_000)

/** 100 MB of words, created as they are read, with the number of pieces that were read. */
function endless(type: "text" | "reasoning") {
  const state = { pieces: 0 }
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => controller.enqueue({ type: `${type}-start`, id: "0" }),
    pull(controller) {
      if (state.pieces++ >= 100_000) return controller.close()
      controller.enqueue({ type: `${type}-delta`, id: "0", delta: kilobyte })
    },
  })
  return { state, stream }
}

test.each(["text", "reasoning"] as const)(
  "endless %s is cut off with a message, and the session continues",
  async (type) => {
    const { state, stream } = endless(type)
    await using host = await scriptedRuntime((options) =>
      lastUserText(options) === "Never stop" ? stream : answer("Here I am."),
    )
    const turn = await host.prompt("Never stop")
    expect(turn).toMatchObject({ status: "failed", error: { name: "OutputLengthError" } })
    expect(turn.error?.message).toContain("cut off after 4,000,000 characters")
    // Reading stops, and the received text is kept.
    expect(state.pieces).toBeLessThan(maxAnswerLength / kilobyte.length + 100)
    const { items } = await host.messages()
    expect(items.at(-1)?.parts.find((part) => part.type === type)).toMatchObject({ text: kilobyte.repeat(4_000) })
    expect((await host.prompt("Are you there?")).status).toBe("completed")
  },
)

test("endless arguments are cut off, and their call is not run", async () => {
  let cut = false
  await using host = await scriptedRuntime((options) => {
    if (lastUserText(options) !== "Never stop") return answer("Here I am.")
    return new ReadableStream<LanguageModelV4StreamPart>({
      start: (controller) => controller.enqueue({ type: "tool-input-start", id: "1", toolName: "write" }),
      pull: (controller) => controller.enqueue({ type: "tool-input-delta", id: "1", delta: kilobyte }),
      cancel: () => {
        cut = true
      },
    })
  })
  expect((await host.prompt("Never stop")).error?.name).toBe("OutputLengthError")
  expect(cut).toBe(true)
  const parts = (await host.messages()).items.flatMap((item) => item.parts)
  expect(parts.find((part): part is ToolPart => part.type === "tool")?.state).toMatchObject({ status: "error" })
  expect((await host.prompt("Are you there?")).status).toBe("completed")
})

test("200,000 nested brackets as arguments are refused, and the turn continues", async () => {
  const brackets = "[".repeat(200_000) + "]".repeat(200_000)
  let step = 0
  await using host = await scriptedRuntime(() => {
    step += 1
    if (step > 1) return answer("Plainer then.")
    return answer("", { tool: "glob", input: null }).map((part) =>
      part.type === "tool-call" ? { ...part, input: `{"pattern":${brackets}}` } : part,
    )
  })
  expect((await host.prompt("Look")).status).toBe("completed")
  const parts = (await host.messages()).items.flatMap((item) => item.parts)
  expect(parts.find((part): part is ToolPart => part.type === "tool")?.state).toMatchObject({
    status: "error",
    error: expect.stringContaining("nest deeper than 200 levels"),
  })
})

test("a prompt of 8,000 files is refused with advice and stores nothing", async () => {
  await using host = await scriptedRuntime(() => answer("Read."))
  const file: PromptPart = { type: "file", mime: "text/plain", url: "data:text/plain;base64,aGk=" }
  const prompt = host.runtime.prompt.submit(host.session.id, { parts: Array.from({ length: 8_000 }, () => file) })
  await expect(prompt).rejects.toMatchObject({
    code: "prompt_too_large",
    message: "The prompt has 8000 parts and the most is 500. Name a directory instead of its files.",
  })
  expect((await host.messages()).items).toEqual([])
})

test("files of one prompt are included up to 1 MiB, others named", async () => {
  let sent = 0
  await using host = await scriptedRuntime((options) => {
    sent = JSON.stringify(options.prompt).length
    return answer("Read.")
  })
  await mkdir(join(host.directory, "many"))
  const parts: PromptPart[] = []
  for (let index = 0; index < 100; index++) {
    const path = join(host.directory, "many", `${index}.txt`)
    await writeFile(path, `${index} ${"y".repeat(40_000)}`)
    parts.push({ type: "file", mime: "text/plain", url: pathToFileURL(path).href, filename: `${index}.txt` })
  }
  const turn = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Read" }, ...parts] })
  await host.runtime.prompt.wait(turn.id)
  expect(sent).toBeLessThan(1.2 * 1024 * 1024)
  const texts = (await host.messages()).items[0]?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
  expect(texts?.filter((text) => text.includes("<file path="))).toHaveLength(26)
  expect(texts?.filter((text) => text.endsWith("Read the parts of it that you need."))).toHaveLength(74)
})
