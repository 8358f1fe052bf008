import { firstWindow } from "./first-window.tsx"

/** Heights of the server-rendered rows by key (px). The same rows have the same height in the live list. */
export function firstHeights(): ReadonlyMap<string, number> {
  const rows = document.querySelectorAll<HTMLElement>(`${firstWindow} [data-row]`)
  return new Map(
    [...rows].flatMap((row) => (row.dataset.row === undefined ? [] : [[row.dataset.row, row.offsetHeight]])),
  )
}
