import type { StepChange } from "@docket/core"
import type { TaskSummary } from "@docket/core/schema"
import { type ChangedFile, filesOf } from "../../../../../../features/changed-files/changed-files.ts"

export type Pair<T> = readonly [T, T]

/**
 * The default task to compare with: another attempt of the same child, else one with the same description, else a
 * neighbour under the same parent, else any. Null when it is the only task.
 */
export function rivalOf(task: TaskSummary, tasks: readonly TaskSummary[]): TaskSummary | null {
  const others = tasks.filter(({ id }) => id !== task.id).toSorted((a, b) => b.number - a.number)
  return (
    others.find(({ sessionID }) => sessionID === task.sessionID) ??
    others.find(({ description }) => description === task.description) ??
    others.find(({ parentID, number }) => parentID === task.parentID && number < task.number) ??
    others.find(({ parentID }) => parentID === task.parentID) ??
    others[0] ??
    null
  )
}

/** The two tasks named in an address, with defaults for missing ones. */
export function namedPair(
  tasks: readonly TaskSummary[],
  named: { task: string | null; with: string | null },
): Pair<TaskSummary> | null {
  const byID = (id: string | null) => tasks.find((task) => task.id === id)
  const left = byID(named.task) ?? tasks[0]
  if (left === undefined) return null
  const right = byID(named.with)
  const rival = right === undefined || right.id === left.id ? rivalOf(left, tasks) : right
  return rival === null ? null : [left, rival]
}

/** A file that at least one of two tasks changed; null for the task that did not. */
export interface ComparedFile {
  path: string
  sides: Pair<ChangedFile | null>
}

/** The files that either task changed, sorted by path. */
export function comparedFiles(changes: readonly StepChange[], [left, right]: Pair<{ id: string }>): ComparedFile[] {
  const [ours, theirs] = [left, right].map(
    ({ id }) => new Map(filesOf(changes.filter(({ taskID }) => taskID === id)).map((file) => [file.path, file])),
  )
  const paths = new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])])
  return [...paths].sort().map((path) => ({ path, sides: [ours?.get(path) ?? null, theirs?.get(path) ?? null] }))
}
