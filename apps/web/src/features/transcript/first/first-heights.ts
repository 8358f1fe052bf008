import { firstWindow } from "./first-window.tsx"

/** How high the rows stand that the page brought along, by key (px): the same rows are as high in the live list. */
export function firstHeights(): ReadonlyMap<string, number> {
  const rows = document.querySelectorAll<HTMLElement>(`${firstWindow} [data-row]`)
  return new Map(
    [...rows].flatMap((row) => (row.dataset.row === undefined ? [] : [[row.dataset.row, row.offsetHeight]])),
  )
}
