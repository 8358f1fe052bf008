import { parsePatch } from "diff"
import { DocketError } from "../error/docket-error.ts"
import { cutQuote } from "../message/review-anchor.ts"
import type { ReviewPlace } from "../schema/index.ts"

type DiffPlace = Extract<ReviewPlace, { kind: "diff" }>

/** What stands at lines of a diff, by the newest of its pieces that shows all of them. @throws invalid_input */
export function quoteOfDiff(patches: readonly (string | null)[], { path, side, from, to }: DiffPlace): string {
  const shown = patches.filter((patch) => patch !== null)
  if (shown.length === 0) {
    throw new DocketError("invalid_input", `There is no diff of ${path} here. Comment on the step that changed it.`)
  }
  for (const patch of shown.toReversed()) {
    const lines = linesOf(patch, side)
    const wanted = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => lines.get(from + index))
    if (wanted.length > 0 && wanted.every((line) => line !== undefined)) return cutQuote(wanted.join("\n"))
  }
  throw new DocketError(
    "invalid_input",
    `The diff of ${path} does not show lines ${from} to ${to} of its ${side} side. Choose lines that it shows.`,
  )
}

/** The lines that a patch shows of one side, by their number in the file. */
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
