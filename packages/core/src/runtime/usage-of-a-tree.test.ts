import { expect, test } from "vitest"
import { treeUsage } from "../ground/message/usage.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

/** The usage and cost of one call of the scripted model. */
const call = { tokens: 15, cost: 0.00002 }
const delegate = (prompt: string) => ({
  tool: "task",
  input: { subagent_type: "general", prompt, description: prompt },
})

test("a tree's totals count every call once, in tasks and titles too", async () => {
  let calls = 0
  const config = { delegation: { depth: 3 }, agent: { general: { permission: { task: "allow" } } } }
  const run = async (options: Parameters<Parameters<typeof scriptedRuntime>[0]>[0]) => {
    calls += 1
    const text = lastUserText(options)
    if (toolResults(options).length > 0) return answer("Done.")
    if (text.includes("outer")) return answer("", delegate("inner one"), delegate("inner two"))
    if (text.includes("inner")) return answer("Found it.")
    return answer("", delegate("outer"))
  }
  await using host = await scriptedRuntime(run, { config })
  await host.prompt("Look into it")
  await host.until((event) => event.type === "session.updated" && event.properties.info.title === "A fine title")
  const { sessions, tasks } = await host.runtime.session.tree(host.session.id)
  const totals = treeUsage(sessions)
  // The script does not count the title's call.
  const made = calls + 1
  expect(calls).toBe(6)
  expect(totals.whole).toEqual({
    tokens: { input: made * 10, output: made * 5, reasoning: 0, cache: { read: 0, write: 0 } },
    cost: Math.round(made * call.cost * 1e10) / 1e10,
  })
  const { items } = await host.runtime.session.list({})
  expect(items.map(({ treeCost, treeTokens }) => [treeCost, treeTokens])).toEqual([
    [totals.whole.cost, made * call.tokens],
  ])
  const one = tasks.filter(({ number }) => number === 1)
  expect(one.map(({ usage: { tokens, cost }, sessionID }) => [{ tokens, cost }, sessionID])).toEqual(
    one.map(({ sessionID }) => [totals.subtree(sessionID), sessionID]),
  )
  const page = await host.messages()
  const card = page.items.flatMap(({ parts }) => parts).find((part) => part.type === "tool" && part.tool === "task")
  expect(card).toMatchObject({ state: { metadata: { tokens: 4 * call.tokens, cost: 4 * call.cost } } })
})
