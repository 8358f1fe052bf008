import type { ThreadView } from "@docket/core"
import { anchoredText } from "@docket/core/message"
import type { AnchoredText, Part } from "@docket/core/schema"
import type { PartRange } from "../commenting/comment-store.ts"
import { partAttribute, textAttribute } from "../commenting/selected-text.ts"
import { findDrawn, type TextRange } from "./place-selection.ts"
import { drawnTexts, waysToDraw } from "./read-selection.ts"
import type { VisibleText } from "./visible-text.ts"

/** The current position of a thread's text; null for a thread on something else, and when the text is gone. */
export function currentRange({ thread: { anchor }, anchor: now }: ThreadView): PartRange | null {
  if (anchor.kind !== "text" || now.state === "gone") return null
  const { from, to } = now.state === "moved" ? now : anchor
  return { partID: anchor.partID, of: anchor.of, from, to }
}

/** The current positions of the text of all open threads. */
export function commentedRanges(threads: readonly ThreadView[]): PartRange[] {
  return threads.flatMap((view) => (view.thread.resolved === null ? (currentRange(view) ?? []) : []))
}

/** The ways to draw each text of a part, so that it is parsed only once. */
const knownWays = new WeakMap<Part, Map<AnchoredText, VisibleText[]>>()

function waysOf(part: Part, of: AnchoredText): VisibleText[] {
  const known = knownWays.get(part) ?? new Map<AnchoredText, VisibleText[]>()
  knownWays.set(part, known)
  const ways = known.get(of) ?? (anchoredText(part, of) === null ? [] : waysToDraw(part, of))
  known.set(of, ways)
  return ways
}

/** The visible ranges of commented text. Text that is folded, or drawn differently, is left out. */
export function drawnRanges(ranges: readonly PartRange[], partOf: (id: string) => Part | null): Range[] {
  return ranges.flatMap((range) => {
    const holders = document.querySelectorAll(`[${partAttribute}="${CSS.escape(range.partID)}"]`)
    const part = holders.length === 0 ? null : partOf(range.partID)
    if (part === null) return []
    return [...holders].flatMap((holder) => {
      const inner = holder.querySelectorAll(`[${textAttribute}="${range.of}"]`)
      return (inner.length > 0 ? [...inner] : [holder]).flatMap((element) =>
        rangeIn(element, waysOf(part, range.of), range),
      )
    })
  })
}

function rangeIn(element: Element, ways: readonly VisibleText[], sourceRange: TextRange): Range[] {
  const texts = drawnTexts(element)
  const shown = texts.map(({ data }) => data).join("")
  const found = ways.map((way) => findDrawn(way, sourceRange, shown)).find((it) => it !== null)
  if (found == null) return []
  const range = document.createRange()
  let at = 0
  for (const text of texts) {
    const end = at + text.data.length
    if (found.from >= at && found.from < end) range.setStart(text, found.from - at)
    if (found.to > at && found.to <= end) range.setEnd(text, found.to - at)
    at = end
  }
  return [range]
}
