import type { Place } from "../place.ts"

/** A smaller distance from the initial scroll position does not count as moved (px). */
const movedBeyond = 8

/**
 * The reader's place in the server-rendered rows; null while the reader has not scrolled. After the first scroll
 * (`data-moved`) the reader always has a place, even back at the initial position.
 */
export function placeInFirst(element: HTMLElement): Place | null {
  const scroller = element.querySelector("[data-rows]")
  if (scroller === null || element.hidden || element.dataset.elsewhere !== undefined) return null
  const { opened, moved, touched } = element.dataset
  if (touched === undefined) return null
  if (moved === undefined && Math.abs(scroller.scrollTop - Number(opened ?? 0)) < movedBeyond) return null
  const { top } = scroller.getBoundingClientRect()
  const row = rowsInSight(scroller)[0]
  const key = row?.dataset.row
  if (row === undefined || key === undefined) return null
  // A row's key begins with the id of its part or message.
  const source = key.split(":", 1)[0] ?? key
  return {
    // The scroll area is reversed: 0 is its end, and it scrolls up from there.
    following: scroller.scrollTop > -movedBeyond && element.dataset.part === undefined,
    row: { key, source, above: Math.round(top - row.getBoundingClientRect().top) },
    open: [],
  }
}

/** The rows of a scrolling element that are at least partly visible. */
export function rowsInSight(scroller: Element): HTMLElement[] {
  const { top, bottom } = scroller.getBoundingClientRect()
  return [...scroller.querySelectorAll<HTMLElement>("[data-row]")].filter((row) => {
    const stands = row.getBoundingClientRect()
    return stands.bottom > top && stands.top < bottom
  })
}
