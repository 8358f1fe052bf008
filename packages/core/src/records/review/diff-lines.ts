import { parsePatch } from "diff/lib/patch/parse.js"
import { DocketError } from "../../ground/error/docket-error.ts"
import { type AnchorState, cutQuote } from "../../ground/message/review-anchor.ts"
import type { ReviewAnchor, ReviewPlace } from "../../ground/schema/index.ts"

type DiffPlace = Extract<ReviewPlace, { kind: "diff" }>

/** The text at lines of a diff, from the newest piece that shows all of them. @throws invalid_input */
export function quoteOfDiff(patches: readonly (string | null)[], { path, side, from, to }: DiffPlace): string {
  const shown = patches.filter((patch) => patch !== null)
  if (shown.length === 0) {
    throw new DocketError("invalid_input", `There is no diff of ${path} here. Comment on the step that changed it.`)
  }
  for (const patch of shown.toReversed()) {
    const quote = quoteAt(linesOf(patch, side), from, to)
    if (quote !== null) return quote
  }
  throw new DocketError(
    "invalid_input",
    `The diff of ${path} does not show lines ${from} to ${to} of its ${side} side. Choose lines that it shows.`,
  )
}

/**
 * Where the quoted lines of an anchor are in the current diff. Lines that moved are found when the newest piece with them
 * shows them exactly once.
 */
export function diffAnchorState(
  patches: readonly (string | null)[],
  { side, from, to, quote }: Extract<ReviewAnchor, { kind: "diff" }>,
): AnchorState {
  const pieces = patches.flatMap((patch) => (patch === null ? [] : [linesOf(patch, side)])).reverse()
  if (pieces.some((lines) => quoteAt(lines, from, to) === quote)) return { state: "there" }
  for (const lines of pieces) {
    const found = [...lines.keys()].filter((line) => quoteAt(lines, line, line + to - from) === quote)
    const [line] = found
    if (line !== undefined) return found.length === 1 ? { state: "moved", from: line, to: line + to - from } : gone
  }
  return gone
}

const gone: AnchorState = { state: "gone" }

/** The text of the lines, shortened like a quote; null unless all lines are shown. */
function quoteAt(lines: ReadonlyMap<number, string>, from: number, to: number): string | null {
  const found: string[] = []
  for (let line = from; line <= to; line++) {
    const text = lines.get(line)
    if (text === undefined) return null
    found.push(text)
  }
  return found.length === 0 ? null : cutQuote(found.join("\n"))
}

/** The lines of one side of a patch, by line number. */
function linesOf(patch: string, side: DiffPlace["side"]): Map<number, string> {
  const lines = new Map<number, string>()
  const other = side === "old" ? "+" : "-"
  for (const { hunks } of parsePatch(patch)) {
    for (const hunk of hunks) {
      let number = side === "old" ? hunk.oldStart : hunk.newStart
      for (const line of hunk.lines) {
        if (line.startsWith(other) || line.startsWith("\\")) continue
        lines.set(number, line.slice(1))
        number += 1
      }
    }
  }
  return lines
}
