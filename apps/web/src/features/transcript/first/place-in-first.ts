import type { Place } from "../place.ts"

/** Nearer than this to where it opened, it was not moved (px). */
const movedBeyond = 8

/**
 * Where a reader has scrolled to in the rows that the page brought along; null while they stand where they opened. Whoever
 * has moved once (`data-moved`) has a place wherever they stand, also where it opened.
 */
export function placeInFirst(element: HTMLElement): Place | null {
  const scroller = element.querySelector("[data-rows]")
  if (scroller === null || element.hidden || element.dataset.elsewhere !== undefined) return null
  const { opened, moved } = element.dataset
  if (moved === undefined && Math.abs(scroller.scrollTop - Number(opened ?? 0)) < movedBeyond) return null
  const { top } = scroller.getBoundingClientRect()
  const row = rowsInSight(scroller)[0]
  const key = row?.dataset.row
  if (row === undefined || key === undefined) return null
  // Keys begin with the part or message that the row is of.
  const source = key.split(":", 1)[0] ?? key
  return {
    // It scrolls up from its end, at 0.
    following: scroller.scrollTop > -movedBeyond && element.dataset.part === undefined,
    row: { key, source, above: Math.round(top - row.getBoundingClientRect().top) },
    open: [],
  }
}

/** The rows of a scrolling element of which something is on the screen. */
export function rowsInSight(scroller: Element): HTMLElement[] {
  const { top, bottom } = scroller.getBoundingClientRect()
  return [...scroller.querySelectorAll<HTMLElement>("[data-row]")].filter((row) => {
    const stands = row.getBoundingClientRect()
    return stands.bottom > top && stands.top < bottom
  })
}
