import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, usage } from "../test/scripted-runtime.ts"

const full = { ...usage, inputTokens: { total: 99_000, noCache: 99_000, cacheRead: 0, cacheWrite: 0 } }

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
  return parts.map((part) => (part.type === "finish" ? { ...part, usage: full } : part))
}

test("a summary that the provider refuses for now is asked for again", async () => {
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

test("a summary that is refused for good ends the turn with the reason and leaves the conversation as it is", async () => {
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
