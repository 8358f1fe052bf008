import type { TaskSummary } from "@docket/core/schema"
import { momentOf } from "../../replay/replay-address.ts"
import type { ReviewRow, ReviewRows } from "../task/review-rows.ts"
import { firstToReview } from "../task/review-rows.ts"

export const deskViews = ["transcript", "timeline", "files", "todos"] as const
export type DeskView = (typeof deskViews)[number]

export const viewLabel: Record<DeskView, string> = {
  transcript: "Transcript",
  timeline: "Timeline",
  files: "Files",
  todos: "Todos",
}

/**
 * The place named in the desk's address. `task` is a task's id, or `root` for the session that delegated. A continued
 * child shows its newest attempt, unless `attempt` names an earlier one.
 */
export interface DeskPlace {
  task: string | null
  attempt: string | null
  view: DeskView
  part: string | null
  /** The time that is replayed (epoch ms); null for the live state. */
  at: number | null
}

/** Value of `task` for the session that delegated. */
export const rootParam = "root"

export function readPlace(params: { get(name: string): string | null }): DeskPlace {
  return {
    task: params.get("task"),
    attempt: params.get("attempt"),
    view: deskViews.find((view) => view === params.get("view")) ?? "transcript",
    part: params.get("part"),
    at: momentOf(params.get("at")),
  }
}

export function deskHref(
  rootID: string,
  { task = null, attempt = null, view = "transcript", part = null, at = null }: Partial<DeskPlace>,
): string {
  const params = new URLSearchParams()
  if (task !== null) params.set("task", task)
  if (attempt !== null) params.set("attempt", attempt)
  if (view !== "transcript") params.set("view", view)
  if (part !== null) params.set("part", part)
  if (at !== null) params.set("at", String(at))
  const query = params.toString()
  return `/review/${rootID}${query === "" ? "" : `?${query}`}`
}

/** The value of `task` for a row: the id of its newest task. */
export function taskParam(row: Pick<ReviewRow, "task">): string {
  return row.task?.id ?? rootParam
}

/** The row named in the address. A missing or unknown task leads to the first task to review. */
export function placedRow(rows: ReviewRows, rootID: string, task: string | null): ReviewRow | null {
  if (task === rootParam) return rows.get(rootID) ?? null
  const named =
    task === null ? undefined : [...rows.values()].find(({ attempts }) => attempts.some(({ id }) => id === task))
  return named ?? firstToReview(rows) ?? rows.get(rootID) ?? null
}

/** The attempt named in the address, or else the newest; null for the root. */
export function placedTask(row: ReviewRow, attempt: string | null): TaskSummary | null {
  return row.attempts.find(({ id }) => id === attempt) ?? row.task
}
