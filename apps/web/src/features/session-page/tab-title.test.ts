import type { Session } from "@docket/core/schema"
import { expect, it } from "vitest"
import { tabTitle } from "./tab-title.ts"

// Only the fields that are read.
const session = (more: Partial<Session> = {}) =>
  ({
    id: "ses_r",
    parentID: null,
    title: "Fix the card",
    agent: "build",
    time: { created: 1, updated: 1, archived: null },
    status: { type: "idle" },
    abortedAt: null,
    ...more,
  }) as Session
const title = (root: Session, requests = 0, others: Session[] = []) =>
  tabTitle({ session: root, tree: [root, ...others], requests, isAway: false }, "ann")

it("the tab shows waiting, running, failed or unread, until read", () => {
  const failed = { ended: { at: 5, how: "failed" } } as const
  expect(title(session())).toBe("Fix the card · Docket")
  expect(title(session(failed))).toBe("✕ Fix the card · Docket")
  expect(title(session({ ended: { at: 5, how: "completed" } }))).toBe("● Fix the card · Docket")
  expect(title(session({ ...failed, read: { ann: 5 } }))).toBe("Fix the card · Docket")
  const child = session({ id: "ses_k", parentID: "ses_r", status: { type: "busy" } })
  expect(title(session(failed), 0, [child])).toBe("◌ Fix the card · Docket")
  expect(title(session(failed), 2, [child])).toBe("(2) Fix the card · Docket")
})
