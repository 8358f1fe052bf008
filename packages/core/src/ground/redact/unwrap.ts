import { type Cut, type DecodedText, withCuts } from "./decoded-text.ts"

/** A line break with the white space behind it; that before it is found from there, or each space would look ahead. */
const wrap = /(?:\r?\n|\r)\s*/g
/** The same with what a line may begin with in a diff, in a quote, in a numbered listing or in a frame. */
const prefixedWrap = /(?:\r?\n|\r)(?:\s*@@[^\n]*@@[^\n]*(?:\r?\n|$))?[ \t]*(?:[+\-|>│┃#*]|\d{1,6}[:|→\t])?\s*/g
const hasPrefix = /(?:\r|\n)[ \t]*(?:[+\-|>│┃#*@]|\d{1,6}[:|→\t])/
const added = /^\+/m
const removed = /^-(?!--)/m

/**
 * The view with its lines joined, in every way in which one secret may be spread over several: plainly, without the
 * beginnings of lines, and each side of a diff by itself.
 */
export function unwrap(flat: DecodedText): DecodedText[] {
  // What was decoded in a line is no end of it.
  if (!/[\r\n]/.test(flat.text)) return [{ ...flat, seams: [] }]
  const views = [withCuts(flat, cutsOf(flat.text, wrap))]
  if (!hasPrefix.test(flat.text)) return views
  views.push(withCuts(flat, cutsOf(flat.text, prefixedWrap)))
  if (added.test(flat.text) && removed.test(flat.text)) for (const side of ["+", "-"]) views.push(diffSide(flat, side))
  return views
}

function cutsOf(text: string, pattern: RegExp): Cut[] {
  const cuts: Cut[] = []
  let before = 0
  for (const { index, 0: found } of text.matchAll(pattern)) {
    let start = index
    while (start > before && isBlank(text[start - 1])) start -= 1
    before = index + found.length
    cuts.push({ start, end: before, text: "" })
  }
  return cuts
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t"
}

/** The lines that one side of a diff has, joined: what both have and its own. */
function diffSide(flat: DecodedText, side: string): DecodedText {
  const other = side === "+" ? "-" : "+"
  const cuts: Cut[] = []
  let start = 0
  for (const line of flat.text.split("\n")) {
    const end = Math.min(start + line.length + 1, flat.text.length)
    const mark = line[0]
    const isLeft = mark === other || line.startsWith("@@")
    const indent = /^[+\- ]?[ \t]*/.exec(line)?.[0].length ?? 0
    if (isLeft) cuts.push({ start, end, text: "" })
    else {
      cuts.push({ start, end: start + indent, text: "" })
      cuts.push({ start: start + Math.max(indent, line.trimEnd().length), end, text: "" })
    }
    start = end
  }
  return withCuts(flat, cuts)
}
