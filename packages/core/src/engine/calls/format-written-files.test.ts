import { expect, test } from "vitest"
import type { FormatPlace, Formatting } from "../../acts/tool/formatters.ts"
import type { PlannedText } from "../../acts/tool/tool.ts"
import type { HookedCall } from "../loop/hooks.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { formatWrittenFiles } from "./format-written-files.ts"

const text = (name: string, source: string): PlannedText => ({
  ...{ file: `/p/${name}`, name, before: null, text: source, mayShow: true, notes: [] },
})

function plugOf(done: Formatting[]) {
  let asked = 0
  const { beforeWrite } = formatWrittenFiles({
    placeOf: async () => ({}) as FormatPlace,
    formatters: {
      async format() {
        asked++
        return done
      },
    },
  })
  const turnOf = (agent: string, config = {}) => ({ agent: { name: agent }, config }) as TurnContext
  const write = (turn: TurnContext, ...texts: PlannedText[]) =>
    beforeWrite?.(texts, { turn, tool: "write", callID: "c", partID: "p" } satisfies HookedCall)
  return { write, turnOf, asked: () => asked }
}

test("the lines that a formatter changed are shown, with those around them", async () => {
  const source = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`)
  const formatted = source.toSpliced(4, 1, "line five", "and more")
  const { write, turnOf } = plugOf([{ formatter: "tidy", text: formatted.join("\n") }, null])
  const written = await write(turnOf("build"), text("a.txt", source.join("\n")), text("b.txt", "b"))
  const shown = "3: line 3\n4: line 4\n5: line five\n6: and more\n7: line 6\n8: line 7"
  expect(written).toMatchObject([
    { text: formatted.join("\n"), notes: [`tidy formatted a.txt before it was written. There it is now:\n${shown}`] },
    { text: "b", notes: [] },
  ])
})

test("of many changed lines only the first are shown", async () => {
  const source = Array.from({ length: 500 }, (_, at) => `line ${at + 1}`)
  const { write, turnOf } = plugOf([{ formatter: "tidy", text: source.map((line) => `  ${line}`).join("\n") }])
  const [written] = (await write(turnOf("build"), text("a.txt", source.join("\n")))) ?? []
  expect(written?.notes[0]?.split("\n")).toHaveLength(32)
  expect(written?.notes[0]).toMatch(/More lines changed\. Read it before you change it again\.$/)
})

test("who does not read files sees no lines of a formatter", async () => {
  const hidden = { ...text("a.txt", "a"), mayShow: false }
  const other = plugOf([{ formatter: "tidy", text: "SECRET" }])
  const fault = plugOf([{ formatter: "tidy", fault: "tidy did not format a.txt: SECRET" }])
  const told = [other, fault].map(async ({ write, turnOf }) => (await write(turnOf("build"), hidden))?.[0]?.notes)
  expect(await Promise.all(told)).toEqual([
    ["tidy formatted a.txt before it was written."],
    ["[tidy did not format a.txt.]"],
  ])
})

test("a formatter that cannot run is told of once in a turn", async () => {
  const { write, turnOf } = plugOf([{ formatter: "tidy", fault: "tidy is not there", isLasting: true }])
  const [first, second] = [turnOf("build"), turnOf("build")]
  const notes = []
  for (const turn of [first, first, second]) notes.push((await write(turn, text("a.txt", "a")))?.[0]?.notes)
  expect(notes).toEqual([["[tidy is not there]"], [], ["[tidy is not there]"]])
})

test("plan mode and `formatter: false` ask no formatter", async () => {
  const { write, turnOf, asked } = plugOf([null])
  await write(turnOf("plan"), text("a.txt", "a"))
  await write(turnOf("build", { formatter: false }), text("a.txt", "a"))
  expect(asked()).toBe(0)
  await write(turnOf("build"), text("a.txt", "a"))
  expect(asked()).toBe(1)
})
