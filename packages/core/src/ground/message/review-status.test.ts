import fc from "fast-check"
import { expect, test } from "vitest"
import { createIdSource } from "../id/create-id.ts"
import type { ReviewVerdict, VerdictKind } from "../schema/index.ts"
import { isFresh, type ReviewStatus, reviewStatus, standingVerdicts } from "./review-status.ts"

const createID = createIdSource()

function verdict(person: string, kind: VerdictKind, withdrawn: number | null = null): ReviewVerdict {
  return {
    id: createID("reviewVerdict"),
    rootID: createID("session"),
    sessionID: createID("session"),
    taskID: createID("task"),
    verdict: kind,
    reason: "",
    by: { person, workspace: "local" },
    on: { last: null, files: null },
    time: { created: 1, withdrawn },
  }
}

test("imported verdicts of others make no mark", () => {
  const from = (kind: VerdictKind) => ({ verdict: verdict("imported:ann", kind), fresh: true })
  for (const kind of ["approve", "needs_changes", "reject"] as const) expect(reviewStatus([from(kind)])).toBe("none")
  const own = { verdict: verdict("ann", "approve"), fresh: true }
  expect(reviewStatus([from("reject"), own])).toBe("approved")
  expect(reviewStatus([from("approve"), { ...own, fresh: false }])).toBe("stale")
})

test.each<[mark: ReviewStatus, given: [VerdictKind, fresh: boolean][]]>([
  ["none", []],
  ["approved", [["approve", true]]],
  [
    "rejected",
    [
      ["approve", true],
      ["needs_changes", true],
      ["reject", true],
    ],
  ],
  [
    "needs_changes",
    [
      ["approve", true],
      ["needs_changes", true],
      ["reject", false],
    ],
  ],
  [
    "approved",
    [
      ["reject", false],
      ["approve", true],
    ],
  ],
  [
    "stale",
    [
      ["reject", false],
      ["approve", false],
    ],
  ],
])("a task is %s by the verdicts %j", (mark, given) => {
  expect(reviewStatus(given.map(([kind, fresh], index) => ({ verdict: verdict(`p${index}`, kind), fresh })))).toBe(mark)
})

test("the mark does not depend on the order in which people judged", () => {
  const kind = fc.constantFrom<VerdictKind>("approve", "needs_changes", "reject")
  fc.assert(
    fc.property(fc.array(fc.tuple(kind, fc.boolean()), { maxLength: 6 }), fc.nat(), (given, turn) => {
      const standing = given.map(([one, fresh], index) => ({ verdict: verdict(`p${index}`, one), fresh }))
      const at = standing.length === 0 ? 0 : turn % standing.length
      expect(reviewStatus([...standing.slice(at), ...standing.slice(0, at)].reverse())).toBe(reviewStatus(standing))
    }),
  )
})

test("the newest verdict of each person stands, and none that was withdrawn", () => {
  const [first, other, second] = [verdict("ann", "reject"), verdict("bo", "approve"), verdict("ann", "approve")]
  expect(standingVerdicts([second, first, other])).toEqual([other, second])
  const taken = { ...second, time: { created: 1, withdrawn: 2 } }
  expect(standingVerdicts([taken, other])).toEqual([other])
})

test("a verdict is stale after new parts or changed files", () => {
  const on = { last: null, files: { paths: ["/a"], digest: "x" } }
  expect(isFresh({ on }, { newParts: 0, digest: "x" })).toBe(true)
  expect(isFresh({ on }, { newParts: 1, digest: "x" })).toBe(false)
  expect(isFresh({ on }, { newParts: 0, digest: "y" })).toBe(false)
  expect(isFresh({ on: { last: null, files: null } }, { newParts: 0, digest: null })).toBe(true)
})
