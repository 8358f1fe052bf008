import type { AssistantMessage, Part, UserMessage } from "@docket/core/schema"
import { expect, it } from "vitest"
import type { Row } from "./row.ts"
import { answerText, linkedThing, rowTime } from "./row-facts.ts"

const place = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1" }
const partRow = (part: Part, streaming = false): Row => ({
  kind: "part",
  key: part.id,
  part,
  agent: "build",
  streaming,
  step: null,
  beginsStep: false,
})
const text = (words: string): Part => ({ ...place, type: "text", text: words, time: { start: 3, end: 4 } })
const call: Part = {
  ...place,
  type: "tool",
  callID: "c",
  tool: "bash",
  state: { status: "running", input: {}, metadata: {}, time: { start: 7 } },
}
// Only the fields that the code reads.
const user = { time: { created: 1 } } as UserMessage
const assistant = { time: { created: 1, completed: 9 } } as AssistantMessage

it("rowTime is the start time of what a row shows", () => {
  expect([
    rowTime({ kind: "prompt", key: "k", message: user, parts: [], synthetic: false }),
    rowTime(partRow(text("hi"))),
    rowTime(partRow(call)),
    rowTime({ kind: "fold", key: "k", parts: [call], open: false, beginsStep: false }),
    rowTime({ kind: "meta", key: "k", message: assistant, totals: null, prompt: null }),
    rowTime({ kind: "compaction", key: "k" }),
    rowTime(partRow({ ...place, type: "text", text: "of an older version" })),
  ]).toEqual([1, 3, 7, 7, 9, null, null])
})

it("linkedThing names what a link leads to", () => {
  expect([
    linkedThing({ kind: "prompt", key: "k", message: user, parts: [], synthetic: false }),
    linkedThing(partRow(text("hi"))),
    linkedThing(partRow(call)),
    linkedThing({ kind: "fold", key: "k", parts: [call], open: false, beginsStep: false }),
  ]).toEqual(["this prompt", "this answer", "this call of bash", "these calls"])
})

it("the whole text of a long answer is offered once written", () => {
  const long = "word ".repeat(40)
  expect([
    answerText(partRow(text(long))),
    answerText(partRow(text(long), true)),
    answerText(partRow(text("Done."))),
  ]).toEqual([long, null, null])
})
