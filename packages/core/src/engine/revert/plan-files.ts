import { momentOf } from "../../ground/id/moment-of.ts"
import type { LeftFile, MessageWithParts } from "../../ground/schema/index.ts"
import { type FileChange, type FileState, sameState, unkeptMode } from "../snapshot/read-changes.ts"

/** The changes of one step's tools: the snapshots before and after, and the files that belong to the step. */
export interface StepPatch {
  before: string
  after: string
  files: Set<string>
  /** Timestamps between which the snapshots were taken. */
  start: string
  end: string
}

/** The patches of messages, ordered by their start. */
export function stepPatches(messages: MessageWithParts[]): StepPatch[] {
  return messages
    .flatMap(({ info, parts }) => {
      const patch = parts.find((part) => part.type === "patch")
      const finish = parts.findLast((part) => part.type === "step-finish")
      if (patch?.type !== "patch" || finish?.type !== "step-finish" || finish.snapshot === undefined) return []
      const files = new Set(patch.files)
      return [{ before: patch.hash, after: finish.snapshot, files, start: momentOf(info.id), end: momentOf(patch.id) }]
    })
    .sort((a, b) => (a.start < b.start ? -1 : 1))
}

/** A patch with the change of each file; null when its snapshots were removed. */
export type ReadPatch = StepPatch & { changes: FileChange[] | null }

/**
 * Plans the undo of patches: each file returns to its state before the first patch that changed it. Files that someone
 * else changed, between two patches or after the last one, are left.
 * @param now all files in their current state
 */
export function planFiles(
  patches: ReadPatch[],
  now: Map<string, FileState>,
): { files: { path: string; to: FileState | null }[]; left: LeftFile[] } {
  const histories = new Map<string, { patch: ReadPatch; change: FileChange }[]>()
  const expired = new Set(patches.flatMap((patch) => (patch.changes === null ? [...patch.files] : [])))
  for (const patch of patches) {
    for (const change of patch.changes ?? []) {
      if (!patch.files.has(change.path)) continue
      const history = histories.get(change.path) ?? []
      histories.set(change.path, history)
      history.push({ patch, change })
    }
  }
  const files: { path: string; to: FileState | null }[] = []
  const left: LeftFile[] = [...expired].map((path) => ({ path, reason: "expired" }))
  for (const [path, history] of histories) {
    const first = history[0]
    const last = history.toSorted((a, b) => (a.patch.end < b.patch.end ? -1 : 1)).at(-1)
    if (first === undefined || last === undefined || expired.has(path)) continue
    const current = now.get(path) ?? null
    const to = first.change.from
    if (sameState(current, to)) continue
    if (to?.mode === unkeptMode || current?.mode === unkeptMode) left.push({ path, reason: "too_large" })
    else if (!sameState(current, last.change.to) || wasChangedBetween(history)) left.push({ path, reason: "changed" })
    else files.push({ path, to })
  }
  return { files, left }
}

/** Whether a patch found the file in another state than earlier patches left. Simultaneous patches may overlap. */
function wasChangedBetween(history: { patch: ReadPatch; change: FileChange }[]): boolean {
  return history.some(({ patch, change }, index) => {
    const earlier = history.slice(0, index)
    if (earlier.length === 0 || earlier.some((other) => other.patch.end > patch.start)) return false
    return !sameState(earlier.at(-1)?.change.to ?? null, change.from)
  })
}
