import { formatPatch, structuredPatch } from "diff/lib/patch/create.js"
import type { FileChangeMetadata } from "../../ground/schema/tool-metadata.ts"

/** A diff past this size is not kept: it would be stored and sent to every viewer. */
const MAX_DIFF_CHARACTERS = 200_000
/** Milliseconds after which an expensive comparison is given up. */
const MAX_DIFF_TIME = 200

/** The change of one file as the web draws it. `before` is null for a new file. */
export function describeChange(file: string, before: string | null, after: string): FileChangeMetadata {
  const old = before ?? ""
  const base = { file, created: before === null, truncated: false }
  const from = before === null ? "/dev/null" : `a/${file}`
  const patch = structuredPatch(from, `b/${file}`, old, after, "", "", { context: 3, timeout: MAX_DIFF_TIME })
  if (patch === undefined) {
    return { ...base, diff: "", additions: lineCount(after), deletions: lineCount(old), diffOmitted: true }
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  const counts = {
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
  }
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0)
  if (size > MAX_DIFF_CHARACTERS) return { ...base, ...counts, diff: "", diffOmitted: true }
  return { ...base, ...counts, diff: formatPatch(patch), diffOmitted: false }
}

function lineCount(text: string): number {
  if (text === "") return 0
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
}
