import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import { conversationTextUnits } from "../../ground/message/prompt-units.ts"
import { isCompactionSummary } from "../../ground/store/index.ts"
import { extensionOf } from "../../test/extension-of.ts"
import { answer, lastUserText, scriptedRuntime, usage } from "../../test/scripted-runtime.ts"

/** Fills the context of 100,000 tokens. */
const fullUsage = { ...usage, inputTokens: { total: 99_000, noCache: 99_000, cacheRead: 0, cacheWrite: 0 } }
const alwaysAllowed = { config: { permission: { bash: "allow", doom_loop: "allow" } } }
const print = { tool: "bash", input: { command: "echo printed", description: "Print" } }

function refusal(statusCode: number) {
  const error = Object.assign(new Error("too many requests"), {
    name: "AI_APICallError",
    statusCode,
    isRetryable: statusCode === 429,
    responseHeaders: { "retry-after-ms": "1" },
  })
  return [{ type: "error" as const, error }]
}

function longAnswer() {
  const parts = answer("Long.", { tool: "glob", input: { pattern: "*" } })
  return parts.map((part) => (part.type === "finish" ? { ...part, usage: fullUsage } : part))
}

test("a temporarily refused summary is requested again", async () => {
  let summaries = 0
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    if (text.startsWith("Write the summary")) {
      summaries += 1
      return summaries < 3 ? refusal(429) : answer("The summary.")
    }
    return text.startsWith("Continue if") ? answer("Went on.") : longAnswer()
  })
  expect((await host.prompt("Work on")).status).toBe("completed")
  const { items } = await host.messages()
  const [summary, ...others] = items.filter(
    (item) => item.info.role === "assistant" && item.info.agent === "compaction",
  )
  expect(summaries).toBe(3)
  expect(others).toEqual([])
  expect(summary?.parts.filter((part) => part.type === "retry")).toHaveLength(2)
  expect(summary?.info).toMatchObject({ summary: true, error: null })
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({ text: "Went on." })
  expect(await host.runtime.session.get(host.session.id)).toMatchObject({ status: { type: "idle" } })
})

test("readers are told once that a conversation was compacted", async () => {
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    if (text.startsWith("Write the summary")) return answer("The summary.")
    return text.startsWith("Continue if") ? answer("Went on.") : longAnswer()
  })
  await host.prompt("Work on")
  const summary = (await host.messages()).items.find(({ info }) => info.role === "assistant" && info.summary)
  const told = host.events.filter(({ type }) => type === "session.compacted")
  expect(told).toMatchObject([{ properties: { sessionID: host.session.id, messageID: summary?.info.id } }])
})

test("a plug ends the turn after an automatic summary", async () => {
  let answers = 0
  const goesOn: boolean[] = []
  const script = (options: LanguageModelV4CallOptions) => {
    if (lastUserText(options).startsWith("Write the summary")) return answer("The summary.")
    answers += 1
    return longAnswer()
  }
  const plug = {
    async goesOn(before: boolean) {
      goesOn.push(before)
      return false
    },
  }
  await using host = await scriptedRuntime(script, { extensions: [extensionOf({ plug })] })
  expect(await host.prompt("Work on")).toMatchObject({ status: "completed" })
  expect([answers, goesOn]).toEqual([1, [true]])
  const { items } = await host.messages()
  expect(items.at(-1)?.info).toMatchObject({ agent: "compaction", summary: true, error: null })
})

test("a refused summary ends the turn and leaves the conversation unchanged", async () => {
  let refused = true
  const sizes: number[] = []
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    if (text.startsWith("Write the summary")) return refusal(400)
    sizes.push(options.prompt.filter((message) => message.role !== "system").length)
    return refused ? longAnswer() : answer("Still here.")
  })
  expect(await host.prompt("Work on")).toMatchObject({ status: "failed" })
  refused = false
  expect((await host.prompt("And now")).status).toBe("completed")
  expect(sizes[1]).toBeGreaterThan(sizes[0] ?? 0)
})

const isSummary = (options: LanguageModelV4CallOptions) => lastUserText(options).startsWith("Write the summary")

/** The answer with a given number of input tokens and finish reason. */
function reported(parts: LanguageModelV4StreamPart[], input: number, unified: "stop" | "length" = "stop") {
  const inputTokens = { ...usage.inputTokens, total: input, noCache: input }
  return parts.map((part) =>
    part.type === "finish"
      ? { ...part, usage: { ...usage, inputTokens }, finishReason: { unified, raw: unified } }
      : part,
  )
}

test("when a summary does not help, most steps continue without another", async () => {
  let steps = 0
  let summaries = 0
  await using host = await scriptedRuntime((options) => {
    if (isSummary(options)) {
      summaries += 1
      return answer("The summary.")
    }
    steps += 1
    return steps < 12 ? reported(answer("", print), 99_000) : answer("Done.")
  }, alwaysAllowed)
  expect(await host.prompt("Work on")).toMatchObject({ status: "completed" })
  expect(steps).toBe(12)
  // One in ten steps, because only a try shows whether a summary helps.
  expect(summaries).toBe(2)
})

test("without token counts, a summary comes before the context overflows", async () => {
  const unreported = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
  const sizes: number[] = []
  let summaries = 0
  await using host = await scriptedRuntime((options) => {
    const ends = isSummary(options)
    if (ends) summaries += 1
    else sizes.push(conversationTextUnits(options.prompt))
    return answer(ends ? "The summary." : "Read.").map((part) =>
      part.type === "finish" ? { ...part, usage: { ...usage, inputTokens: unreported } } : part,
    )
  })
  for (let count = 0; count < 40; count++)
    expect((await host.prompt("Read this. ".repeat(1_000))).status).toBe("completed")
  expect(summaries).toBeGreaterThan(0)
  expect(Math.max(...sizes)).toBeLessThan(100_000 * 4)
})

test("a summary cut by the output limit is requested again, shorter", async () => {
  const words: number[] = []
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    if (!isSummary(options)) return text.startsWith("Continue if") ? answer("Went on.") : longAnswer()
    words.push(Number(/at most (\d+) words/.exec(text)?.[1]))
    return reported(answer(`Half a summary, ${words.length}.`), 10, "length")
  })
  expect((await host.prompt("Work on")).status).toBe("completed")
  const [first = 0, second, ...more] = words
  expect(second).toBe(first / 2)
  expect(more).toEqual([])
  const { items } = await host.messages()
  const summary = items.find(({ info }) => isCompactionSummary(info))
  expect(summary?.parts).toMatchObject([{ type: "text", text: "Half a summary, 2." }])
  // Both answers cost tokens.
  expect(summary?.info).toMatchObject({ tokens: { input: 20, output: 10 } })
})

test("a second empty summary ends the turn; the next prompt works", async () => {
  let empty = true
  let asked = 0
  await using host = await scriptedRuntime((options) => {
    if (isSummary(options)) {
      asked += 1
      return answer("")
    }
    return empty ? longAnswer() : answer("Still here.")
  })
  const turn = await host.prompt("Work on")
  expect(turn).toMatchObject({ status: "failed" })
  expect(turn.error?.message).toMatch(/came back empty\. Send the prompt again, or choose another model\./)
  expect(asked).toBe(2)
  empty = false
  expect((await host.prompt("And now")).status).toBe("completed")
})

test("an endless summary is cut and ends the turn with the reason", async () => {
  let endless = true
  await using host = await scriptedRuntime((options) => {
    if (!isSummary(options)) return endless ? longAnswer() : answer("Still here.")
    const delta = "x".repeat(1_000_000)
    return new ReadableStream<LanguageModelV4StreamPart>({
      start: (controller) => controller.enqueue({ type: "text-start", id: "0" }),
      pull: (controller) => controller.enqueue({ type: "text-delta", id: "0", delta }),
    })
  })
  expect(await host.prompt("Work on")).toMatchObject({ status: "failed", error: { name: "OutputLengthError" } })
  endless = false
  expect((await host.prompt("And now")).status).toBe("completed")
})

test("the model does not read a failed summary as conversation", async () => {
  const prompts: string[] = []
  let stopped = false
  await using host = await scriptedRuntime((options) => {
    if (!isSummary(options)) {
      prompts.push(JSON.stringify(options.prompt))
      return stopped ? answer("Still here.") : longAnswer()
    }
    return new ReadableStream({
      start: (controller) => {
        controller.enqueue({ type: "text-start", id: "0" })
        controller.enqueue({ type: "text-delta", id: "0", delta: "Half a summary" })
        stopped = true
        void host.runtime.abort(host.session.id)
      },
    })
  })
  expect((await host.prompt("Work on")).status).toBe("aborted")
  expect((await host.prompt("And now")).status).toBe("completed")
  expect(prompts.at(-1)).toContain("Work on")
  expect(prompts.at(-1)).not.toContain("Half a summary")
  expect(prompts.at(-1)).not.toContain("Summary of the conversation")
})

test("a crash during compaction leaves the conversation unchanged, and the turn continues", async () => {
  const filler = "loremipsumdolors ".repeat(1_200)
  let pieces = 0
  let full = false
  const first = await scriptedRuntime(
    (options) => {
      if (!isSummary(options)) return full ? reported(answer("", print), 99_000) : answer("Noted.")
      pieces += 1
      return pieces === 1 ? answer("## Objective\nThe first piece.") : new Promise<never>(() => {})
    },
    { context: 12_000, config: { permission: { bash: "allow" } } },
  )
  for (const n of [1, 2]) await first.prompt(`Note ${n}. ${filler}`)
  full = true
  void first.runtime.prompt.submit(first.session.id, { parts: [{ type: "text", text: "Go" }] })
  // The summary's message includes the tokens of the first piece once that is done.
  await first.until(
    (event) =>
      event.type === "message.updated" &&
      event.properties.info.role === "assistant" &&
      event.properties.info.agent === "compaction" &&
      event.properties.info.tokens.input > 0,
  )
  const prompts: string[] = []
  await using second = await scriptedRuntime(
    (options) => {
      prompts.push(JSON.stringify(options.prompt))
      return answer("Went on.")
    },
    { store: first.store, directory: first.directory, context: 12_000 },
  )
  const turn = (await second.runtime.session.tree(first.session.id)).turns.find((it) => it.input.parts.length > 0)
  if (turn !== undefined) await second.runtime.prompt.wait(turn.id)
  const { items } = await second.messages(first.session.id)
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({ text: "Went on." })
  expect(items.some(({ info }) => isCompactionSummary(info))).toBe(false)
  expect(prompts.at(-1)).toContain("Note 1.")
  expect(prompts.at(-1)).not.toContain("The first piece.")
  expect(await second.store.transcript.openMessages(first.session.id)).toEqual([])
  await first[Symbol.asyncDispose]()
})

test("/compact in an empty session reports nothing to summarise, without the model", async () => {
  let asked = 0
  await using host = await scriptedRuntime(() => {
    asked += 1
    return answer("")
  })
  const parts = [{ type: "command" as const, name: "compact", arguments: "" }]
  const turn = await host.runtime.prompt.submit(host.session.id, { parts })
  expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed", error: null })
  const { items } = await host.messages()
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({
    text: expect.stringContaining("nothing to summarise"),
  })
  expect(asked).toBe(0)
})
