import type { Session, SessionListItem } from "@docket/core/schema"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mergeListed } from "./merge-listed.ts"

function row(
  id: number,
  updated: number,
  change: Partial<Pick<Session, "projectID" | "title">> = {},
  archived = false,
) {
  const time = { created: 0, updated, archived: archived ? 1 : null }
  // Only the fields that order and filter lists.
  const session = { id: `ses_${id}`, projectID: "prj_a", title: "", ...change, time } as Session
  return {
    session,
    running: 0,
    needsYou: 0,
    reviews: 0,
    treeCost: 0,
    treeTokens: 0,
    children: 0,
  } satisfies SessionListItem
}

const inOrder = (a: SessionListItem, b: SessionListItem) =>
  b.session.time.updated - a.session.time.updated || (a.session.id < b.session.id ? -1 : 1)
const ids = (pages: { items: SessionListItem[] }[]) => pages.flatMap(({ items }) => items.map((it) => it.session.id))

/** Pages of two rows, as the service returns them. The last page has a cursor if not all rows are loaded. */
function pagesOf(items: SessionListItem[], loaded = Number.POSITIVE_INFINITY) {
  const pages = []
  for (let at = 0; at === 0 || at < items.length; at += 2)
    pages.push({ items: items.slice(at, at + 2), cursor: at + 2 < items.length ? "more" : null })
  return pages.slice(0, loaded)
}

const rows = fc
  .uniqueArray(fc.nat({ max: 20 }), { maxLength: 8 })
  .chain((list) => fc.tuple(...list.map((id) => fc.nat({ max: 9 }).map((updated) => row(id, updated)))))
  .map((list) => [...list].sort(inOrder))
const changes = fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 9 }), fc.boolean()), { maxLength: 20 })

describe("mergeListed", () => {
  it("matches the service's list after changes in any order", () => {
    fc.assert(
      fc.property(rows, changes, (start, list) => {
        let pages = pagesOf(start)
        let truth = start
        for (const [id, updated, archived] of list) {
          const item = row(id, updated, {}, archived)
          pages = mergeListed(pages, item, {})
          truth = truth.filter(({ session }) => session.id !== item.session.id)
          if (!archived) truth = [...truth, item].sort(inOrder)
          expect(ids(pages)).toEqual(ids([{ items: truth }]))
        }
      }),
    )
  })

  it("leaves out a row that belongs after the loaded pages", () => {
    const pages = pagesOf([row(1, 9), row(2, 8), row(3, 7), row(4, 6)], 1)
    expect(ids(mergeListed(pages, row(5, 3), {}))).toEqual(["ses_1", "ses_2"])
    expect(ids(mergeListed(pages, row(3, 10), {}))).toEqual(["ses_3", "ses_1", "ses_2"])
  })

  it("keeps each list to its query's project, archive and search", () => {
    const pages = pagesOf([row(1, 9)])
    expect(ids(mergeListed(pages, row(2, 10, { projectID: "prj_b" }), { projectID: "prj_a" }))).toEqual(["ses_1"])
    expect(ids(mergeListed(pages, row(2, 10, {}, true), { archived: true }))).toEqual(["ses_2", "ses_1"])
    expect(ids(mergeListed(pages, row(2, 10), { search: "words" }))).toEqual(["ses_1"])
    const renamed = mergeListed(pages, row(1, 10, { title: "New" }), { search: "words" })
    expect(renamed[0]?.items[0]?.session.title).toBe("New")
  })
})
