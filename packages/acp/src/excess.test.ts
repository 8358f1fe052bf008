import { expect, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

const said = (text: string) => [{ type: "content", content: { type: "text", text } }]
const diffs = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ type: "diff", path: `${n}.txt`, oldText: "one\n", newText: "two\n" }))
const ended = (id: string, more: object = {}) => ({
  call: { toolCallId: id, title: id, kind: "other", status: "completed", ...more },
})

test.for(["rawInput", "rawOutput"])("a %s without end ends the task and says so", async (key) => {
  const { delegate, results, calls } = await runAgent()
  await delegate([{ deep: { [key]: 200_000 } }, { wait: "I wait." }])
  expect(results).toEqual([expect.stringContaining("nested deeper than 200 levels")])
  expect(await calls()).toEqual([])
})

test("a call's changes are listed up to a number", async () => {
  const { delegate, calls } = await runAgent()
  await delegate([
    { call: { toolCallId: "1", title: "Edit", kind: "edit", status: "in_progress", content: diffs(1_200) } },
    { call: { toolCallId: "1", title: "Edit more", status: "completed" } },
  ])
  const [call] = await calls()
  expect(call?.state).toMatchObject({
    metadata: { changes: expect.objectContaining({ length: 1_000 }), truncated: true },
    output: expect.stringContaining("200 more changes"),
  })
})

test("leave for more files than a person can see is refused", async () => {
  const { delegate, noted, calls } = await runAgent()
  await delegate([{ ask: { toolCallId: "1", title: "Edit", kind: "edit", content: diffs(1_001) } }])
  expect(await noted()).toContainEqual({ outcome: "option-reject_once" })
  expect(await calls()).toMatchObject([{ state: { error: expect.stringContaining("at most 1000 files") } }])
})

test("an answer of too many bytes is ended and says so", async () => {
  const { delegate, results, messages } = await runAgent()
  await delegate([{ repeat: { count: 30, act: { long: 9 * 1024 * 1024 } } }])
  expect(results[0]).toContain("more than 256 MiB")
  expect(await messages()).not.toEqual([])
})

test("a long input is kept as its beginning", async () => {
  const { delegate, calls } = await runAgent()
  await delegate([ended("1", { rawInput: { text: "x".repeat(60_000) } })])
  const [call] = await calls()
  expect(call?.state.input).toEqual({ json: expect.stringMatching(/^\{"text":"x+…$/) })
  expect(JSON.stringify(call?.state.input).length).toBeLessThan(51_000)
})

test("inputs count for the length of an answer", async () => {
  const { delegate, results, calls } = await runAgent()
  const input = { text: "x".repeat(45_000) }
  await delegate([{ repeat: { count: 100, act: ended("$n", { rawInput: input }) } }])
  expect(results[0]).toContain("cut off")
  const shown = await calls()
  expect(shown.length).toBeLessThan(100)
  expect(shown.every(({ state }) => state.status === "completed")).toBe(true)
})

test("a call that ended long ago changes no more", async () => {
  const { delegate, calls } = await runAgent()
  await delegate([
    ended("first", { content: said("early") }),
    ended("first", { content: said("late") }),
    { repeat: { count: 101, act: ended("$n") } },
    ended("first", { content: said("too late") }),
  ])
  expect((await calls())[0]?.state).toMatchObject({ output: "late" })
})
