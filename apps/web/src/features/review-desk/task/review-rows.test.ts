import type { TreeState } from "@docket/client"
import type { TaskReview } from "@docket/core"
import type { ReviewStatus } from "@docket/core/review-status"
import type { Session, TaskState, TaskSummary } from "@docket/core/schema"
import { expect, it } from "vitest"
import { deskHref, placedRow, readPlace } from "../desk/desk-place.ts"
import { reviewedCount, reviewRows, rowBeside } from "./review-rows.ts"

// Only the fields that the code reads.
const session = (id: string, parentID: string | null, created: number, archived: number | null = null) =>
  ({
    id,
    parentID,
    title: id,
    agent: "explore",
    status: { type: "idle" },
    abortedAt: null,
    tokens: { output: 1 },
    time: { created, updated: created, archived },
  }) as Session

const task = (number: number, sessionID: string, state: TaskState = "completed") =>
  ({
    id: `tsk_${number}`,
    number,
    sessionID,
    state,
    description: `Task ${number}`,
    time: { created: number, started: number, ended: number },
  }) as TaskSummary

const verdict = (number: number, person: string) =>
  ({
    verdict: { taskID: `tsk_${number}`, by: { person, workspace: "w" }, time: { created: number } },
    fresh: true,
    newParts: 0,
    changed: false,
  }) as TaskReview["verdicts"][number]

const review = (number: number, mark: ReviewStatus, more: Partial<TaskReview> = {}): [string, TaskReview] => [
  `tsk_${number}`,
  {
    taskID: `tsk_${number}`,
    mark,
    verdicts: mark === "none" ? [] : [verdict(number, "ann")],
    viewed: null,
    threads: { open: 0, resolved: 0 },
    ...more,
  },
]

function treeOf(sessions: Session[], tasks: TaskSummary[]) {
  return {
    rootID: "ses_root",
    sessions: Object.fromEntries(sessions.map((one) => [one.id, one])),
    tasks: Object.fromEntries(tasks.map((one) => [one.id, one])),
    permissions: {},
  } satisfies Pick<TreeState, "rootID" | "sessions" | "tasks" | "permissions">
}

const family = [
  session("ses_root", null, 0),
  session("ses_a", "ses_root", 1),
  session("ses_b", "ses_root", 2),
  session("ses_aa", "ses_a", 3),
]
const tree = treeOf(family, [task(1, "ses_a"), task(2, "ses_b"), task(3, "ses_aa")])

it("parents come before children; only tasks with a current verdict count", () => {
  const rows = reviewRows(tree, new Map([review(1, "approved"), review(2, "stale"), review(3, "rejected")]))
  expect([...rows.keys()]).toEqual(["ses_root", "ses_a", "ses_aa", "ses_b"])
  expect(reviewedCount(rows)).toEqual({ reviewed: 2, total: 3 })
  expect(rows.get("ses_root")).toMatchObject({ task: null, review: { mark: "none" }, title: "ses_root" })
})

it("a resumed child is one row whose earlier verdict is stale", () => {
  const goneOn = treeOf(family, [task(1, "ses_a"), task(2, "ses_b"), task(4, "ses_a")])
  const before = reviewRows(goneOn, new Map([review(1, "approved")])).get("ses_a")
  expect(before).toMatchObject({ review: { mark: "stale", verdicts: [{ fresh: false }] }, title: "Task 1" })
  expect(before?.task?.number).toBe(4)
  expect(before?.attempts.map(({ number }) => number)).toEqual([1, 4])
  const after = reviewRows(goneOn, new Map([review(1, "stale"), review(4, "approved")])).get("ses_a")
  expect(after?.review).toMatchObject({ mark: "approved", verdicts: [{ fresh: true, verdict: { taskID: "tsk_4" } }] })
})

it("undone sessions, and all sessions below them, are left out", () => {
  const [root, a, b, aa] = family as [Session, Session, Session, Session]
  const undone = session("ses_a", "ses_root", 1, 9)
  expect(a.id).toBe(undone.id)
  expect([...reviewRows(treeOf([root, undone, b, aa], []), new Map()).keys()]).toEqual(["ses_root", "ses_b"])
})

it("without a task, the desk opens at one that awaits a verdict", () => {
  const held = treeOf(family, [task(1, "ses_a"), task(2, "ses_b", "awaiting_review"), task(3, "ses_aa")])
  const begin = (given: typeof tree, ...said: [string, TaskReview][]) =>
    placedRow(reviewRows(given, new Map(said)), "ses_root", null)?.sessionID
  expect(begin(held)).toBe("ses_b")
  expect(begin(tree, review(1, "approved"))).toBe("ses_aa")
  expect(begin(tree, review(1, "approved"), review(2, "approved"), review(3, "approved"))).toBe("ses_a")
  expect(begin(treeOf(family.slice(0, 1), []))).toBe("ses_root")
})

it("an address opens any attempt; an unknown task still opens the desk", () => {
  const rows = reviewRows(tree, new Map())
  expect(placedRow(rows, "ses_root", "tsk_2")?.sessionID).toBe("ses_b")
  expect(placedRow(rows, "ses_root", "root")?.sessionID).toBe("ses_root")
  expect(placedRow(rows, "ses_root", "tsk_9")?.sessionID).toBe("ses_a")
})

it("rowBeside goes through the rows in order and stops at the ends", () => {
  const rows = reviewRows(tree, new Map())
  expect(rowBeside(rows, "ses_a", 1)?.sessionID).toBe("ses_aa")
  expect(rowBeside(rows, "ses_b", 1)).toBeNull()
  expect(rowBeside(rows, "ses_root", -1)).toBeNull()
})

it("an address round-trips, and an unknown view is the transcript", () => {
  const place = { task: "tsk_1", attempt: "tsk_0", view: "files", part: "prt_1", at: 5 } as const
  const url = new URL(deskHref("ses_root", place), "http://x")
  expect(readPlace(url.searchParams)).toEqual(place)
  expect(deskHref("ses_root", {})).toBe("/review/ses_root")
  expect(readPlace(new URLSearchParams("view=gone"))).toEqual({
    task: null,
    attempt: null,
    view: "transcript",
    part: null,
    at: null,
  })
})
