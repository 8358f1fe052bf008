import type { UnjudgedTask } from "@docket/core"
import type { TaskSummary } from "@docket/core/schema"
import fc from "fast-check"
import { expect, it } from "vitest"
import { type ListedTask, mergeAwaiting, mergeUnjudged } from "./merge-unjudged.ts"

/** Only the fields that order and filter lists of tasks. */
const listed = (id: number, ended: number | null, judgedBy: string[] = [], state = "completed"): ListedTask => ({
  task: { id: `tsk_${id}`, rootID: "ses_1", sessionID: "ses_2", state, time: { ended } } as TaskSummary,
  title: "Shop",
  judgedBy,
})

/** The inbox as the service returns it, in pages of two, up to `loaded` rows. */
function pagesOf(rows: Iterable<ListedTask>, loaded = Number.POSITIVE_INFINITY) {
  const items = [...rows]
    .filter(({ task, judgedBy }) => task.time.ended !== null && !judgedBy.includes("ann"))
    .map(({ task, title }) => ({ task, title }))
    .sort((a, b) => (b.task.time.ended ?? 0) - (a.task.time.ended ?? 0) || (a.task.id < b.task.id ? -1 : 1))
  const pages: { items: UnjudgedTask[]; cursor: string | null }[] = []
  for (let at = 0; at === 0 || at < items.length; at += 2)
    pages.push({ items: items.slice(at, at + 2), cursor: at + 2 < items.length ? "more" : null })
  return pages.slice(0, loaded)
}

const ids = (pages: { items: UnjudgedTask[] }[]) => pages.flatMap(({ items }) => items.map(({ task }) => task.id))
const change = fc.tuple(fc.nat({ max: 12 }), fc.option(fc.nat({ max: 9 }), { nil: null }), fc.subarray(["ann", "bo"]))

it("the merged inbox matches the service's inbox after changes in any order", () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(change), (before, after) => {
      const rows = new Map<string, ListedTask>()
      for (const [id, ended, judged] of before) rows.set(`tsk_${id}`, listed(id, ended, judged))
      let pages = pagesOf(rows.values())
      for (const [id, ended, judged] of after) {
        rows.set(`tsk_${id}`, listed(id, ended, judged))
        pages = mergeUnjudged(pages, listed(id, ended, judged), "ann")
      }
      expect(ids(pages)).toEqual(ids(pagesOf(rows.values())))
    }),
  )
})

it("the merged inbox leaves out a task after the loaded pages", () => {
  const rows = [9, 8, 7, 6].map((ended, id) => listed(id, ended))
  const first = pagesOf(rows, 1)
  expect(ids(mergeUnjudged(first, listed(20, 1), "ann"))).toEqual(["tsk_0", "tsk_1"])
  expect(ids(mergeUnjudged(first, listed(20, 10), "ann"))).toEqual(["tsk_20", "tsk_0", "tsk_1"])
})

it("a held task is listed once among those awaiting approval", () => {
  const held = listed(1, null, [], "awaiting_review")
  const two = mergeAwaiting(mergeAwaiting([], held), listed(2, null, [], "awaiting_review"))
  expect(mergeAwaiting(two, held).map(({ task }) => task.id)).toEqual(["tsk_1", "tsk_2"])
  expect(mergeAwaiting(two, listed(1, 5)).map(({ task }) => task.id)).toEqual(["tsk_2"])
})
