import type { TreeState } from "@docket/client"
import type { TaskReview } from "@docket/core"
import type { Session, TaskSummary } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { newestTasks, type WorkStatus } from "@docket/core/work-status"
import { emptyReview, isReviewed } from "../../review/judge.ts"
import { isUndone } from "../../tree/is-undone.ts"
import { sessionStatuses } from "../../tree/session-statuses.ts"

/** A session of the tree as a row of the desk: its task, its status, and its review. */
export interface ReviewRow {
  sessionID: string
  parentID: string | null
  /** Child sessions, in the order of their creation. */
  children: string[]
  title: string
  agent: string
  /** The tasks that its session worked on, oldest first; a continued session has several. Empty for the root. */
  attempts: TaskSummary[]
  /** The newest attempt; null for the root. */
  task: TaskSummary | null
  /** Its own status combined with that of its descendants. */
  status: WorkStatus | null
  /** The verdicts and comments on all its attempts. */
  review: TaskReview
}

export type ReviewRows = ReadonlyMap<string, ReviewRow>

/** The sessions of a tree by id, in display order: each one before its descendants. */
export function reviewRows(
  tree: Pick<TreeState, "rootID" | "sessions" | "tasks" | "permissions">,
  reviews: ReadonlyMap<string, TaskReview>,
): ReviewRows {
  const tasks = Object.values(tree.tasks).toSorted((a, b) => a.number - b.number)
  const bySession = Map.groupBy(tasks, ({ sessionID }) => sessionID)
  const newest = newestTasks(tasks)
  const statuses = sessionStatuses(tree)
  const shown = Object.values(tree.sessions)
    .filter((session) => !isUndone(session))
    // Session ids descend: of two with the same time, the larger id is the older.
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
 * Merges the reviews of all attempts of a child into one for the newest attempt, with the newest verdict of each user.
 * A verdict from before the child continued is stale, but still listed.
 */
export function reviewOfAttempts(
  attempts: readonly TaskSummary[],
  reviews: ReadonlyMap<string, TaskReview>,
): TaskReview {
  const attemptReviews = attempts.flatMap(({ id }) => reviews.get(id) ?? [])
  const newest = attempts.at(-1)?.id ?? ""
  const own = reviews.get(newest) ?? emptyReview(newest)
  const verdicts = [
    ...Map.groupBy(
      attemptReviews.flatMap((review) => review.verdicts),
      personOf,
    ).values(),
  ].flatMap((given) => given.toSorted((a, b) => a.verdict.time.created - b.verdict.time.created).at(-1) ?? [])
  return {
    ...own,
    mark: own.mark === "none" && verdicts.length > 0 ? "stale" : own.mark,
    verdicts: verdicts.map((judged) => (judged.verdict.taskID === newest ? judged : { ...judged, fresh: false })),
    viewed: attemptReviews.findLast(({ viewed }) => viewed !== null)?.viewed ?? null,
    threads: {
      open: attemptReviews.reduce((sum, { threads }) => sum + threads.open, 0),
      resolved: attemptReviews.reduce((sum, { threads }) => sum + threads.resolved, 0),
    },
  }
}

function personOf({ verdict }: TaskReview["verdicts"][number]): string {
  return verdict.by.person
}

/** Sort key of children: the creation time of their newest task, or of the session if it has no task. */
function orderOf(session: Session, newest: ReadonlyMap<string, TaskSummary>): number {
  return newest.get(session.id)?.time.created ?? session.time.created
}

/** How many of the delegated tasks have a verdict that still applies. */
export function reviewedCount(rows: ReviewRows): { reviewed: number; total: number } {
  const delegated = [...rows.values()].filter(({ task }) => task !== null)
  return { reviewed: delegated.filter(({ review }) => isReviewed(review.mark)).length, total: delegated.length }
}

/**
 * The first task to show when the address names none: one that its parent waits for, else the first without a verdict,
 * else the first.
 */
export function firstToReview(rows: ReviewRows): ReviewRow | null {
  const delegated = [...rows.values()].filter(({ task }) => task !== null)
  return (
    delegated.find(({ task }) => task?.state === "awaiting_review") ??
    delegated.find(({ review }) => !isReviewed(review.mark)) ??
    delegated[0] ??
    null
  )
}

/** The row before or after this one in display order; null at the ends. */
export function rowBeside(rows: ReviewRows, sessionID: string, by: 1 | -1): ReviewRow | null {
  const all = [...rows.values()]
  return all[all.findIndex((row) => row.sessionID === sessionID) + by] ?? null
}
