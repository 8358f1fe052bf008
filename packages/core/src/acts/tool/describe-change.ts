import { formatPatch, structuredPatch } from "diff/lib/patch/create.js"
import type { FileChangeMetadata } from "../../ground/schema/tool-metadata.ts"

/** A longer diff is not stored, because it would be sent to every viewer. */
const MAX_DIFF_CHARACTERS = 200_000
/** Milliseconds after which an expensive comparison is given up. */
const MAX_DIFF_TIME = 200

/** `before` is null for a new file, `after` for one that is removed; `moved` is what a moved file was. */
interface TextChange {
  before: string | null
  after: string | null
  moved?: { from: string; text: string }
}

/**
 * The change of one file, as the web app shows it.
 * @param room characters that the diff may have at most
 */
export function describeChange(
  file: string,
  { before, after: now, moved }: TextChange,
  room: number = MAX_DIFF_CHARACTERS,
): FileChangeMetadata {
  const old = before ?? moved?.text ?? ""
  const after = now ?? ""
  const base = {
    file,
    created: before === null,
    ...(now === null && { removed: true as const }),
    ...(moved !== undefined && { movedFrom: moved.from }),
    truncated: false,
  }
  const from = before === null ? (moved === undefined ? "/dev/null" : `a/${moved.from}`) : `a/${file}`
  const to = now === null ? "/dev/null" : `b/${file}`
  const patch = structuredPatch(from, to, old, after, "", "", { context: 3, timeout: MAX_DIFF_TIME })
  if (patch === undefined) {
    return { ...base, diff: "", additions: lineCount(after), deletions: lineCount(old), diffOmitted: true }
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  const counts = {
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
  }
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0)
  if (size > Math.min(room, MAX_DIFF_CHARACTERS)) return { ...base, ...counts, diff: "", diffOmitted: true }
  return { ...base, ...counts, diff: formatPatch(patch), diffOmitted: false }
}

function lineCount(text: string): number {
  if (text === "") return 0
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
}
