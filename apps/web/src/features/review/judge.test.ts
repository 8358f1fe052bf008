import type { ReviewOverview } from "@docket/core"
import type { ReviewVerdict, VerdictKind } from "@docket/core/schema"
import { expect, it } from "vitest"
import { withoutVerdict, withVerdict, withViewed } from "./judge.ts"

const empty: ReviewOverview = { seq: 1, tasks: [] }

// Only the fields that are read.
const verdict = (person: string, kind: VerdictKind, id = "rvd_1") =>
  ({ id, taskID: "tsk_1", verdict: kind, by: { person, workspace: "w" }, reason: "" }) as ReviewVerdict

const statusOf = (overview: ReviewOverview) => overview.tasks[0]?.mark

it("a pending verdict replaces the person's earlier one, beside others' verdicts", () => {
  const one = withVerdict(empty, verdict("ann", "approve"))
  expect(statusOf(one)).toBe("approved")
  const two = withVerdict(one, verdict("bo", "needs_changes"))
  expect(statusOf(two)).toBe("needs_changes")
  const changedMind = withVerdict(two, verdict("bo", "approve"))
  expect(changedMind.tasks[0]?.verdicts).toHaveLength(2)
  expect(statusOf(changedMind)).toBe("approved")
})

it("withdrawing a verdict keeps those of others", () => {
  const both = withVerdict(withVerdict(empty, verdict("ann", "reject")), verdict("bo", "approve"))
  expect(statusOf(withoutVerdict(both, { taskID: "tsk_1", person: "ann" }))).toBe("approved")
  expect(
    statusOf(withoutVerdict(withVerdict(empty, verdict("ann", "reject")), { taskID: "tsk_1", person: "ann" })),
  ).toBe("none")
})

it("viewing a task clears its news and keeps its verdicts", () => {
  const seen = withViewed(withVerdict(empty, verdict("ann", "approve")), "tsk_1", 5)
  expect(seen.tasks[0]).toMatchObject({ mark: "approved", viewed: { at: 5, newParts: 0 } })
  expect(withViewed(seen, "tsk_1", null).tasks[0]?.viewed).toBeNull()
})
