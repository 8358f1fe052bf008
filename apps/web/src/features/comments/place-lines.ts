import type { StepChange } from "@docket/core"
import type { DiffScope } from "@docket/core/schema"
import type { ShownLines } from "../commenting/comment-store.ts"
import { parseUnifiedDiff } from "../tools/parse-unified-diff.ts"

/** Lines of one side, including `from` and `to`. */
export interface LineRange {
  from: number
  to: number
}

/** The text of lines on one side of a diff; null when the diff does not contain all of them. */
export function linesOf(patch: string, { side, from, to }: Pick<ShownLines, "side" | "from" | "to">): string | null {
  const lines = bySide(patch, side)
  const texts: string[] = []
  for (let line = from; line <= to; line++) {
    const text = lines.get(line)
    if (text === undefined) return null
    texts.push(text)
  }
  return texts.length === 0 ? null : texts.join("\n")
}

/** The lines of one side of a diff, by their number in the file. */
export function bySide(patch: string, side: ShownLines["side"]): ReadonlyMap<number, string> {
  const lines = new Map<number, string>()
  for (const { kind, before, after, text } of parseUnifiedDiff(patch)) {
    const number = side === "old" ? before : after
    if (kind !== "hunk" && number !== null) lines.set(number, text)
  }
  return lines
}

/**
 * Finds the position of lines from one diff in another diff of the same file: at the same numbers, or else where the
 * same text occurs exactly once. Returns null when neither matches.
 */
export function findLines(patches: readonly (string | null)[], shown: ShownLines): LineRange | null {
  const words = linesOf(shown.patch, shown)
  if (words === null) return null
  // The newest first.
  const known = patches.filter((patch) => patch !== null).toReversed()
  const { from, to, side } = shown
  if (known.some((patch) => linesOf(patch, shown) === words)) return { from, to }
  for (const patch of known) {
    const found = [...bySide(patch, side).keys()].filter(
      (line) => linesOf(patch, { side, from: line, to: line + to - from }) === words,
    )
    const [line] = found
    if (line !== undefined) return found.length === 1 ? { from: line, to: line + to - from } : null
  }
  return null
}

/** The change that contains the lines, and its scope: a task, or else a prompt. */
export function scopeOf(
  changes: readonly StepChange[],
  { path, partID, messageIDs }: Pick<ShownLines, "path" | "partID" | "messageIDs">,
): { scope: DiffScope; change: StepChange } | null {
  const isMeant = (change: StepChange) =>
    messageIDs === null ? change.partID === partID : change.path === path && messageIDs.includes(change.messageID)
  const change = changes.findLast(isMeant)
  if (change === undefined) return null
  const { taskID, promptID } = change
  if (taskID !== null) return { scope: { kind: "task", taskID }, change }
  return promptID === null ? null : { scope: { kind: "turn", promptID }, change }
}

/** The steps in a scope that changed this file. */
export function stepsOf(changes: readonly StepChange[], scope: DiffScope, path: string) {
  return changes
    .filter((change) => change.path === path)
    .filter(({ taskID, promptID }) => (scope.kind === "task" ? taskID === scope.taskID : promptID === scope.promptID))
    .slice(-maxSteps)
    .map(({ sessionID, messageID }) => ({ sessionID, messageID }))
}

/** Maximum number of steps that the server merges into one diff. */
const maxSteps = 200
