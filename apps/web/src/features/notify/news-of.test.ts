import type { Session } from "@docket/core/schema"
import type { SessionListItem } from "@docket/core/store"
import { expect, test } from "vitest"
import { newsOf, type Seen } from "./news-of.ts"

const item = (fields: Partial<SessionListItem>, ended: Session["ended"] = null): SessionListItem => ({
  // Only the fields that are read.
  session: { id: "ses_1", title: "One", ended } as Session,
  running: 0,
  needsYou: 0,
  reviews: 0,
  treeCost: 0,
  treeTokens: 0,
  children: 0,
  ...fields,
})
const after = (before: Map<string, Seen> | null, it: SessionListItem) => {
  const { news, seen } = newsOf(before, [it])
  return { kinds: news.map(({ kind }) => kind), seen }
}

test("requests, ends and failures are news once, earlier states are not", () => {
  const first = after(null, item({ needsYou: 1 }, { at: 5, how: "failed" }))
  expect(first.kinds).toEqual([])
  const same = after(first.seen, item({ needsYou: 1 }, { at: 5, how: "failed" }))
  expect(same.kinds).toEqual([])
  const more = after(same.seen, item({ needsYou: 2, running: 1 }, { at: 5, how: "failed" }))
  expect(more.kinds).toEqual(["needs"])
  const done = after(more.seen, item({}, { at: 9, how: "completed" }))
  expect(done.kinds).toEqual(["finished"])
  expect(after(done.seen, item({}, { at: 12, how: "failed" })).kinds).toEqual(["failed"])
})

test("an end is news after all children end, not after a stop", () => {
  const { seen } = after(null, item({ running: 2 }))
  const child = after(seen, item({ running: 1 }, { at: 5, how: "completed" }))
  expect(child.kinds).toEqual([])
  expect(after(child.seen, item({}, { at: 5, how: "completed" })).kinds).toEqual(["finished"])
  expect(after(child.seen, item({}, { at: 6, how: "stopped" })).kinds).toEqual([])
})

test("a requested review is news of its own kind, once", () => {
  const { seen } = after(null, item({ needsYou: 1 }))
  const asked = after(seen, item({ needsYou: 2, reviews: 1, running: 1 }))
  expect(asked.kinds).toEqual(["review"])
  expect(after(asked.seen, item({ needsYou: 2, reviews: 1, running: 1 })).kinds).toEqual([])
  expect(after(asked.seen, item({ needsYou: 3, reviews: 1, running: 1 })).kinds).toEqual(["needs"])
})
