import { QuotingError } from "../quoting-error.ts"
import { lineLikeness } from "./line-likeness.ts"
import { createSearchWork, SearchTooLong } from "./search-work.ts"

/**
 * The error for a text that is not in the file.
 * @param refused why looser strategies did not count either
 */
export function notFoundError(text: string, oldString: string, refused: readonly string[]): Error {
  const looser = refused.length === 0 ? "" : ` Looser searches: ${refused.join("; ")}.`
  const advice = `oldString was not found in the file. It must match exactly, with all spaces and line breaks.${looser}`
  if (/^\s*\d+: /.test(oldString)) {
    return new Error(`${advice} It starts with a line number of the read output; leave those out.`)
  }
  const hint = nearestLines(text, oldString)
  if (hint === null) return new Error(`${advice} Read the file again first.`)
  return new QuotingError(`${advice} The nearest lines are (line numbers are not part of the text):\n${hint}`, advice)
}

/** Limits of the search for similar lines; beyond them it is not worth the time. */
const MAX_LINES = 50_000
const MAX_LINE = 400
const SHOWN_LINES = 8
/** Lines less similar than this (0 to 1) give no useful hint. */
const MIN_LIKENESS = 0.5

/**
 * The numbered lines of `text` most similar to the start of `piece`, for a model that misremembers a file; null when
 * nothing is similar.
 */
function nearestLines(text: string, piece: string): string | null {
  const wanted = piece.split(/\r?\n/)
  const offset = wanted.findIndex((line) => line.trim() !== "")
  const key = wanted[offset]?.trim().slice(0, MAX_LINE)
  if (key === undefined) return null
  const lines = text.split(/\r?\n/, MAX_LINES)
  const best = mostAlike(lines, key)
  if (best === null) return null
  const start = Math.max(0, best - offset)
  const shown = lines.slice(start, start + Math.min(SHOWN_LINES, wanted.length + 2))
  return shown.map((line, index) => `${start + index + 1}: ${line.slice(0, MAX_LINE)}`).join("\n")
}

/** The index of the line that is most alike; null when none is alike enough, or when that would take too long. */
function mostAlike(lines: string[], key: string): number | null {
  const work = createSearchWork()
  let best: { index: number; likeness: number } | null = null
  try {
    for (const [index, line] of lines.entries()) {
      const trimmed = line.trim().slice(0, MAX_LINE)
      if (trimmed === key) return index
      // Lines of very different length cannot reach the threshold.
      if (trimmed.length * 2 < key.length || key.length * 2 < trimmed.length) continue
      const likeness = lineLikeness(trimmed, key, work)
      if (likeness >= MIN_LIKENESS && likeness > (best?.likeness ?? 0)) best = { index, likeness }
    }
  } catch (error) {
    if (!(error instanceof SearchTooLong)) throw error
  }
  return best?.index ?? null
}
