import type { TaskReview } from "@docket/core"
import { expect, it } from "vitest"
import { newsOf } from "./news-of.ts"

// Only the fields that the code reads.
const judged = (created: number, newParts: number, partID: string) =>
  ({
    verdict: { time: { created }, on: { last: { partID } } },
    newParts,
    changed: false,
  }) as TaskReview["verdicts"][number]

const review = (more: Partial<TaskReview>): TaskReview => ({
  taskID: "tsk_1",
  mark: "none",
  verdicts: [],
  viewed: null,
  threads: { open: 0, resolved: 0 },
  ...more,
})

it("with only stale verdicts, news start after the newest of them", () => {
  const verdicts = [judged(20, 3, "prt_2"), judged(10, 14, "prt_1")]
  expect(newsOf(review({ mark: "stale", verdicts }))).toEqual({
    kind: "stale",
    newParts: 3,
    changed: false,
    partID: "prt_2",
  })
})

it("without verdicts, news start at the reader's last look", () => {
  const viewed = { at: 1, newParts: 14, changed: false, last: { messageID: "msg_1", partID: "prt_1" } }
  expect(newsOf(review({ viewed }))).toMatchObject({ kind: "new", newParts: 14, partID: "prt_1" })
  expect(newsOf(review({ viewed: { ...viewed, newParts: 0 } }))).toBeNull()
  expect(newsOf(review({ viewed: { ...viewed, newParts: 0, changed: true } }))).toMatchObject({ changed: true })
  expect(newsOf(review({}))).toBeNull()
})
