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
  const from = before === null ? (moved === undefined ? "/dev/null" : `a/${moved.from}`) : `a/${file}`
  const to = now === null ? "/dev/null" : `b/${file}`
  const patch = structuredPatch(from, to, old, after, "", "", { context: 3, timeout: MAX_DIFF_TIME })
  const uncompared = nameChange(file, { before, after: now, ...(moved !== undefined && { moved }) })
  if (patch === undefined) return uncompared
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  const counts = {
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
  }
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0)
  if (size > Math.min(room, MAX_DIFF_CHARACTERS)) return { ...uncompared, ...counts }
  return { ...uncompared, ...counts, diff: formatPatch(patch), diffOmitted: false }
}

/** The change of one file without its diff: its texts are not compared. */
export function nameChange(file: string, { before, after, moved }: TextChange): FileChangeMetadata {
  return {
    file,
    created: before === null,
    ...(after === null && { removed: true as const }),
    ...(moved !== undefined && { movedFrom: moved.from }),
    truncated: false,
    diff: "",
    additions: lineCount(after ?? ""),
    deletions: lineCount(before ?? moved?.text ?? ""),
    diffOmitted: true,
  }
}

function lineCount(text: string): number {
  if (text === "") return 0
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
}
