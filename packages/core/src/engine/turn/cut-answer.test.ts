import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

/** The answer, cut by the output limit. */
function cut(parts: LanguageModelV4StreamPart[]): LanguageModelV4StreamPart[] {
  return parts.map((part) =>
    part.type === "finish" ? { ...part, finishReason: { unified: "length", raw: "length" } } : part,
  )
}

test("an answer cut by the output limit fails and keeps its text", async () => {
  await using host = await scriptedRuntime(() => cut(answer("The first half")))
  const turn = await host.prompt("Tell me")
  expect(turn).toMatchObject({ status: "failed", error: { name: "OutputLengthError", retryable: false } })
  expect(turn.error?.message).toContain("output limit after 5 tokens")
  const last = (await host.messages()).items.at(-1)
  expect(last?.info).toMatchObject({ role: "assistant", finish: "length", error: turn.error })
  expect(last?.parts.find((part) => part.type === "text")).toMatchObject({ text: "The first half" })
})

test("the next prompt comes after the text of a cut answer", async () => {
  const prompts: string[] = []
  await using host = await scriptedRuntime((options) => {
    prompts.push(JSON.stringify(options.prompt))
    return lastUserText(options) === "Continue" ? answer("and the second.") : cut(answer("The first half"))
  })
  await host.prompt("Tell me")
  expect((await host.prompt("Continue")).status).toBe("completed")
  expect(prompts.at(-1)).toContain("The first half")
})

test("an answer with cut calls continues by itself without an error", async () => {
  await using host = await scriptedRuntime((options) =>
    toolResults(options).length > 0
      ? answer("Shorter now.")
      : cut(answer("", { tool: "glob", input: { pattern: "*.txt" } })),
  )
  expect(await host.prompt("Look")).toMatchObject({ status: "completed", error: null })
})

test("the caller of a task is notified when its answer was cut", async () => {
  const results: string[] = []
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) !== "Start") return cut(answer("Half a report"))
      results.push(...toolResults(options))
      const input = { description: "dig", prompt: "dig", subagent_type: "general" }
      return toolResults(options).length > 0 ? answer("I see.") : answer("", { tool: "task", input })
    },
    { config: { delegation: { envelope: false } } },
  )
  expect((await host.prompt("Start")).status).toBe("completed")
  expect(results.join("\n")).toContain("output limit")
  expect(results.join("\n")).toContain("Half a report")
})
