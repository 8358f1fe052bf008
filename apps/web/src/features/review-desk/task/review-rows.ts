import type { TreeState } from "@docket/client"
import type { TaskReview } from "@docket/core"
import { type Mark, newestTasks } from "@docket/core/marks"
import type { Session, TaskSummary } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { isReviewed, unsaid } from "../../review/judge.ts"
import { isUndone } from "../../tree/is-undone.ts"
import { sessionMarks } from "../../tree/session-marks.ts"

/** A session of the tree as the desk lists it: what was delegated to it, how that ran, and what people say of it. */
export interface ReviewRow {
  sessionID: string
  parentID: string | null
  /** Sessions below it, in the order in which they were made. */
  children: string[]
  title: string
  agent: string
  /** What its session did, oldest first: one that went on has several. None for the root. */
  attempts: TaskSummary[]
  /** The newest attempt; null for the root. */
  task: TaskSummary | null
  /** How it runs, with what is below it. */
  status: Mark | null
  /** What people say of it, of all attempts together. */
  review: TaskReview
}

export type ReviewRows = ReadonlyMap<string, ReviewRow>

/** The sessions of a tree by id, as a reader goes through them: each before those below it. */
export function reviewRows(
  tree: Pick<TreeState, "rootID" | "sessions" | "tasks" | "permissions">,
  reviews: ReadonlyMap<string, TaskReview>,
): ReviewRows {
  const tasks = Object.values(tree.tasks).toSorted((a, b) => a.number - b.number)
  const bySession = Map.groupBy(tasks, ({ sessionID }) => sessionID)
  const newest = newestTasks(tasks)
  const statuses = sessionMarks(tree)
  const shown = Object.values(tree.sessions)
    .filter((session) => !isUndone(session))
    .toSorted((a, b) => orderOf(a, newest) - orderOf(b, newest) || (a.id < b.id ? 1 : -1))
  const below = Map.groupBy(shown, ({ parentID }) => parentID)
  const rows = new Map<string, ReviewRow>()
  const add = (session: Session) => {
    const children = below.get(session.id) ?? []
    const attempts = bySession.get(session.id) ?? []
    rows.set(session.id, {
      sessionID: session.id,
      parentID: session.parentID,
      children: children.map(({ id }) => id),
      title: attempts[0]?.description ?? shortTitle(session),
      agent: session.agent,
      attempts,
      task: newest.get(session.id) ?? null,
      status: statuses.get(session.id) ?? null,
      review: reviewOfAttempts(attempts, reviews),
    })
    for (const child of children) add(child)
  }
  const root = tree.sessions[tree.rootID]
  if (root) add(root)
  return rows
}

/**
 * What is said of a child by all its attempts, as of its newest: of each person the newest verdict. What was judged before
 * the child went on holds no more, but it was judged.
 */
export function reviewOfAttempts(
  attempts: readonly TaskSummary[],
  reviews: ReadonlyMap<string, TaskReview>,
): TaskReview {
  const said = attempts.flatMap(({ id }) => reviews.get(id) ?? [])
  const newest = attempts.at(-1)?.id ?? ""
  const own = reviews.get(newest) ?? unsaid(newest)
  const verdicts = [
    ...Map.groupBy(
      said.flatMap((review) => review.verdicts),
      personOf,
    ).values(),
  ].flatMap((given) => given.toSorted((a, b) => a.verdict.time.created - b.verdict.time.created).at(-1) ?? [])
  return {
    ...own,
    mark: own.mark === "none" && verdicts.length > 0 ? "stale" : own.mark,
    verdicts: verdicts.map((judged) => (judged.verdict.taskID === newest ? judged : { ...judged, fresh: false })),
    viewed: said.findLast(({ viewed }) => viewed !== null)?.viewed ?? null,
    threads: {
      open: said.reduce((sum, { threads }) => sum + threads.open, 0),
      resolved: said.reduce((sum, { threads }) => sum + threads.resolved, 0),
    },
  }
}

function personOf({ verdict }: TaskReview["verdicts"][number]): string {
  return verdict.by.person
}

/** Children stand in the order of their first tasks' numbers; sessions without one by their age. */
function orderOf(session: Session, newest: ReadonlyMap<string, TaskSummary>): number {
  return newest.get(session.id)?.time.created ?? session.time.created
}

/** How many of the delegated tasks are judged as they stand now. */
export function reviewedCount(rows: ReviewRows): { reviewed: number; total: number } {
  const delegated = [...rows.values()].filter(({ task }) => task !== null)
  return { reviewed: delegated.filter(({ review }) => isReviewed(review.mark)).length, total: delegated.length }
}

/** Where a reader begins who names no task: what holds its parent up, else the first without a verdict, else the first. */
export function firstToReview(rows: ReviewRows): ReviewRow | null {
  const delegated = [...rows.values()].filter(({ task }) => task !== null)
  return (
    delegated.find(({ task }) => task?.state === "awaiting_review") ??
    delegated.find(({ review }) => !isReviewed(review.mark)) ??
    delegated[0] ??
    null
  )
}

/** The row `by` places further among all, in their order; null at the ends. */
export function rowBeside(rows: ReviewRows, sessionID: string, by: 1 | -1): ReviewRow | null {
  const all = [...rows.values()]
  return all[all.findIndex((row) => row.sessionID === sessionID) + by] ?? null
}
