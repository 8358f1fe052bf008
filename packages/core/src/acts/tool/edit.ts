import { z } from "zod"
import { changeFile } from "./change-file.ts"
import type { WithFileLock } from "./file-locks.ts"
import { defineTool, type Tool } from "./tool.ts"

const description = `Replaces a piece of text in a file.

- oldString must be in the file exactly as written, with its indentation and line breaks, and only once. Read the file first, which is required, and copy from it, without the line numbers.
- When it is not unique, take in more lines around it, or set replaceAll to change every occurrence (to rename something, say).
- Line ends (LF or CRLF, also mixed), a byte order mark and the file's mode are kept.
- Several edits of one file in one answer are done one after another.
- An empty oldString creates a file that does not exist yet.`

const parameters = z.strictObject({
  filePath: z.string().min(1).describe("Path of the file"),
  oldString: z.string().describe("The exact text to replace"),
  newString: z.string().describe("The text to put there; empty to delete"),
  replaceAll: z.boolean().optional().describe("Replace every occurrence (default false)"),
})

/** Exact replacement in one file. Shares its locks with `write`. */
export function createEditTool(deps: { withFileLock: WithFileLock }): Tool<typeof parameters> {
  return defineTool({
    id: "edit",
    description,
    parameters,
    permission: "edit",
    parallel: true,
    notesWriting: true,
    async execute(args, context) {
      let count = 1
      return changeFile(context, {
        filePath: args.filePath,
        withLock: deps.withFileLock,
        keepBom: true,
        change(before, name) {
          if (before === null) return newFileText(name, args.oldString, args.newString)
          const replaced = replaceText(before, {
            oldString: args.oldString,
            newString: args.newString,
            replaceAll: args.replaceAll ?? false,
          })
          count = replaced.count
          return replaced.text
        },
        tell({ created, additions, deletions }) {
          const times = count === 1 ? "" : ` (${count} places)`
          return `${created ? "Created" : "Edited"} ${args.filePath}${times}: +${additions} −${deletions} lines.`
        },
      })
    },
  })
}

function newFileText(name: string, oldString: string, newString: string): string {
  if (oldString === "") return newString
  throw new Error(`${name} does not exist. Check the path with glob, or use write to create it.`)
}

interface Replacement {
  oldString: string
  newString: string
  replaceAll: boolean
}

/** The text after the replacement, and the number of replacements. */
interface ReplacedText {
  text: string
  count: number
}

/** A piece of a text, from its first character to the one after its last. */
interface Region {
  start: number
  end: number
}

/**
 * Replaces an exact piece of text. LF and CRLF are equal in the search; the new text gets the line ends of the lines
 * that it replaces, so an edit never mixes line ends.
 * @throws Error when the piece is empty, unchanged except for line ends, absent (with the nearest lines as a hint) or,
 * without `replaceAll`, not unique. Overlapping occurrences count as several.
 */
export function replaceText(text: string, { replaceAll, ...replacement }: Replacement): ReplacedText {
  const oldString = withoutMark(replacement.oldString)
  const newString = toLf(withoutMark(replacement.newString))
  if (oldString === "") {
    throw new Error(
      "oldString is empty but the file exists. Give the text to replace, or use write for the whole file.",
    )
  }
  if (toLf(oldString) === newString) {
    throw new Error("oldString and newString are the same, so there is nothing to change. Line ends do not count.")
  }
  const found = occurrences(text, oldString)
  if (found.length === 0) throw new Error(notFound(text, oldString))
  if (found.length > 1 && !replaceAll) {
    throw new Error(
      `oldString occurs ${found.length} times. Add lines around it until it is unique, or set replaceAll to change all of them.`,
    )
  }
  const replaced = apart(found)
  let result = ""
  let end = 0
  for (const region of replaced) {
    // Looking for line ends is slow in a file of one long line, so it is done only when needed.
    const put = newString.includes("\n") ? withLineEnds(newString, lineEnds(text, region)) : newString
    result += text.slice(end, region.start) + put
    end = region.end
  }
  return { text: result + text.slice(end), count: replaced.length }
}

/** The model edits the text without the byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}

function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n")
}

/**
 * Where the piece occurs, whatever the line ends; overlapping ones included. A match with exactly the same line ends
 * wins.
 */
function occurrences(text: string, piece: string): Region[] {
  const exact = positions(text, piece).map((start) => ({ start, end: start + piece.length }))
  if (piece.includes("\r\n") && exact.length === 1) return exact
  if (!text.includes("\r\n") && !piece.includes("\r\n")) return exact
  const original = originalPositions(text)
  const wanted = toLf(piece)
  return positions(toLf(text), wanted).map((at) => ({ start: original(at), end: original(at + wanted.length) }))
}

function positions(text: string, piece: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) found.push(at)
  return found
}

/** Maps positions in the text with LF to positions in the original text. */
function originalPositions(text: string): (position: number) => number {
  const breaks = Array.from(text.matchAll(/\r\n/g), ({ index }, before) => index - before)
  return (position) => position + lowerBound(breaks, position)
}

/** How many of the ascending numbers are less than `limit`. */
function lowerBound(numbers: number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The occurrences from the first on that do not overlap. */
function apart(regions: Region[]): Region[] {
  const kept: Region[] = []
  for (const region of regions) if (region.start >= (kept.at(-1)?.end ?? 0)) kept.push(region)
  return kept
}

/** The line ends inside a region; if it has none, the one of its line. */
function lineEnds(text: string, { start, end }: Region): string[] {
  const own = text.slice(start, end).match(/\r?\n/g)
  if (own !== null) return own
  const after = /\r?\n/.exec(text.slice(end))?.[0]
  return [after ?? text.slice(0, start).match(/\r?\n/g)?.at(-1) ?? "\n"]
}

/** Applies the given line ends in order; the last one repeats. */
function withLineEnds(text: string, ends: string[]): string {
  let line = 0
  return text.replaceAll("\n", () => ends[Math.min(line++, ends.length - 1)] ?? "\n")
}

function notFound(text: string, oldString: string): string {
  const advice = "oldString was not found in the file. It must match exactly, with all spaces and line breaks."
  if (/^\s*\d+: /.test(oldString)) {
    return `${advice} It starts with a line number of the read output; leave those out.`
  }
  const hint = nearestLines(text, oldString)
  if (hint === null) return `${advice} Read the file again first.`
  return `${advice} The nearest lines are (line numbers are not part of the text):\n${hint}`
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

function mostAlike(lines: string[], key: string): number | null {
  const grams = bigrams(key)
  let best: { index: number; likeness: number } | null = null
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim().slice(0, MAX_LINE)
    if (trimmed === key) return index
    // Lines of very different length cannot reach the threshold.
    if (trimmed.length * 3 < key.length || key.length * 3 < trimmed.length) continue
    const likeness = dice(grams, bigrams(trimmed))
    if (likeness >= MIN_LIKENESS && likeness > (best?.likeness ?? 0)) best = { index, likeness }
  }
  return best?.index ?? null
}

function bigrams(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (let i = 0; i + 1 < text.length; i++) {
    const gram = text.slice(i, i + 2)
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

/** Sørensen–Dice coefficient of two bags of letter pairs. */
function dice(a: Map<string, number>, b: Map<string, number>): number {
  let shared = 0
  let total = 0
  for (const [gram, count] of a) {
    total += count
    shared += Math.min(count, b.get(gram) ?? 0)
  }
  for (const count of b.values()) total += count
  return total === 0 ? 0 : (2 * shared) / total
}
