import type { Place } from "../place.ts"

/** Nearer than this to where it opened, it was not moved (px). */
const movedBeyond = 8

/** Where a reader has scrolled to in the rows that the page brought along; null while they stand where they opened. */
export function placeInFirst(element: HTMLElement): Place | null {
  const scroller = element.firstElementChild
  if (scroller === null || element.hidden) return null
  if (Math.abs(scroller.scrollTop - Number(element.dataset.opened ?? 0)) < movedBeyond) return null
  const { top } = scroller.getBoundingClientRect()
  const row = [...scroller.querySelectorAll<HTMLElement>("[data-row]")].find(
    (each) => each.getBoundingClientRect().bottom > top,
  )
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
