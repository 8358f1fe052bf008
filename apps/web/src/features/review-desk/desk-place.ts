import type { ReviewRow, ReviewRows } from "./review-rows.ts"
import { firstToReview } from "./review-rows.ts"

export const deskViews = ["transcript", "timeline", "files", "todos"] as const
export type DeskView = (typeof deskViews)[number]

export const viewLabel: Record<DeskView, string> = {
  transcript: "Transcript",
  timeline: "Timeline",
  files: "Files",
  todos: "Todos",
}

/** What the address of the desk names. `task` is a task's id, or `root` for the session that delegated. */
export interface DeskPlace {
  task: string | null
  view: DeskView
  part: string | null
}

const root = "root"

export function readPlace(params: { get(name: string): string | null }): DeskPlace {
  return {
    task: params.get("task"),
    view: deskViews.find((view) => view === params.get("view")) ?? "transcript",
    part: params.get("part"),
  }
}

export function deskHref(
  rootID: string,
  { task = null, view = "transcript", part = null }: Partial<DeskPlace>,
): string {
  const params = new URLSearchParams()
  if (task !== null) params.set("task", task)
  if (view !== "transcript") params.set("view", view)
  if (part !== null) params.set("part", part)
  const query = params.toString()
  return `/review/${rootID}${query === "" ? "" : `?${query}`}`
}

/** How the address names a row: by its newest task. */
export function taskParam(row: Pick<ReviewRow, "task">): string {
  return row.task?.id ?? root
}

/** The row of the address, and which of its attempts; a task that is not there leads to where a reader begins. */
export function placedRow(rows: ReviewRows, rootID: string, task: string | null): ReviewRow | null {
  if (task === root) return rows.get(rootID) ?? null
  const named =
    task === null ? undefined : [...rows.values()].find(({ attempts }) => attempts.some(({ id }) => id === task))
  return named ?? firstToReview(rows) ?? rows.get(rootID) ?? null
}
