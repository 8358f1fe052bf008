"use client"

import { type RefObject, useLayoutEffect, useRef } from "react"

const cellSelector = "[data-cell]:not(:disabled)"

/**
 * Keys of a layout grid (ARIA APG) with one tab stop. Arrow keys move between the cells of a row and between rows; Home
 * and End go to the ends of a row, with Ctrl to the first and last row. Rows have `role="row"`; the focusable element
 * of a cell has `data-cell` and `tabIndex={-1}`.
 */
export function useGridKeys(): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  // Rows change with the tree, so after each render one cell must be the tab stop.
  useLayoutEffect(() => {
    const grid = ref.current
    if (!grid) return
    const setStop = (target: Element | null) => {
      const cell = target?.closest<HTMLElement>(cellSelector)
      if (!cell) return
      for (const other of grid.querySelectorAll<HTMLElement>("[data-cell][tabindex='0']")) other.tabIndex = -1
      cell.tabIndex = 0
    }
    const onFocus = (event: FocusEvent) => setStop(event.target instanceof Element ? event.target : null)
    if (!grid.querySelector(`${cellSelector}[tabindex='0']`)) setStop(grid.querySelector(cellSelector))
    const onKeyDown = (event: KeyboardEvent) => {
      const cell = event.target instanceof Element ? event.target.closest<HTMLElement>(cellSelector) : null
      const next = cell && nextCell(grid, cell, event)
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    grid.addEventListener("focusin", onFocus)
    grid.addEventListener("keydown", onKeyDown)
    return () => {
      grid.removeEventListener("focusin", onFocus)
      grid.removeEventListener("keydown", onKeyDown)
    }
  })
  return ref
}

function nextCell(grid: HTMLElement, cell: HTMLElement, event: KeyboardEvent): HTMLElement | null {
  const rows = [...grid.querySelectorAll<HTMLElement>("[role=row]")]
    .map((row) => [...row.querySelectorAll<HTMLElement>(cellSelector)])
    .filter((row) => row.length > 0)
  const y = rows.findIndex((row) => row.includes(cell))
  const row = rows[y] ?? []
  const x = row.indexOf(cell)
  const inRow = (target: HTMLElement[] | undefined, column: number) =>
    target?.[Math.min(column, target.length - 1)] ?? null
  switch (event.key) {
    case "ArrowRight":
      return row[x + 1] ?? null
    case "ArrowLeft":
      return row[x - 1] ?? null
    case "ArrowDown":
      return inRow(rows[y + 1], x)
    case "ArrowUp":
      return inRow(rows[y - 1], x)
    case "Home":
      return inRow(event.ctrlKey ? rows[0] : row, 0)
    case "End":
      return event.ctrlKey ? inRow(rows.at(-1), 0) : (row.at(-1) ?? null)
    default:
      return null
  }
}
