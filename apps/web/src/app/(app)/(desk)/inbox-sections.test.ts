import type { Session, SessionListItem } from "@docket/core/schema"
import { expect, test } from "vitest"
import { inboxSections } from "./inbox-sections.ts"

const item = (id: string, fields: Partial<SessionListItem>): SessionListItem => ({
  // Only the fields that the code reads.
  session: { id } as Session,
  running: 0,
  needsYou: 0,
  reviews: 0,
  treeCost: 0,
  treeTokens: 0,
  children: 0,
  ...fields,
})
const ids = (items: SessionListItem[]) => items.map(({ session }) => session.id)

test("each session is listed once: asking, running or recent", () => {
  const { asking, running, recent } = inboxSections([
    item("asks", { needsYou: 1, running: 2 }),
    item("both", { needsYou: 2, reviews: 1, running: 1 }),
    item("held", { needsYou: 1, reviews: 1, running: 1 }),
    item("kept", { needsYou: 1, reviews: 1 }),
    item("done", {}),
  ])
  expect({ asking: ids(asking), running: ids(running), recent: ids(recent) }).toEqual({
    asking: ["asks", "both"],
    running: ["held"],
    recent: ["kept", "done"],
  })
})
