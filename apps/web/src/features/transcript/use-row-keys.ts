"use client"

import type { RefObject } from "react"
import { useCopy } from "../../shell/use-copy.ts"
import { useKeys } from "../keyboard/use-keys.ts"
import { isError, isStop, nextRow } from "./move-in-rows.ts"
import { linkedPart, type Row } from "./rows/row.ts"
import { linkedThing } from "./rows/row-facts.ts"
import { useTranscriptActions } from "./rows/transcript-actions.ts"

interface RowKeys {
  rows: readonly Row[]
  scroller: RefObject<HTMLElement | null>
  /** Key of the row that has or had focus. */
  focused: string | null
  /** Row to start from when no row had focus: the one in the middle of the screen. */
  middle: number
  reveal(index: number): void
}

/** `j` `k` move between parts, `[` `]` between errors, `o` opens, `y` copies the link. */
export function useRowKeys({ rows, scroller, focused, middle, reveal }: RowKeys): void {
  const { addressOf } = useTranscriptActions()
  const copy = useCopy()
  const index = focused === null ? -1 : rows.findIndex((row) => row.key === focused)
  const step = (direction: 1 | -1, test: (row: Row) => boolean) => {
    const next = nextRow(rows, index < 0 ? middle : index, direction, test)
    if (next !== null) reveal(next)
  }
  useKeys({
    j: () => step(1, isStop),
    k: () => step(-1, isStop),
    "]": () => step(1, isError),
    "[": () => step(-1, isError),
    o: () => activate(rowElement(scroller.current, focused)),
    y: () => {
      const row = rows[index]
      const part = row ? linkedPart(row) : null
      if (row && part !== null) void copy(addressOf(part), `the link to ${linkedThing(row)}`, { toast: true })
    },
  })
}

/** The element of a row, while it is mounted. */
export function rowElement(scroller: HTMLElement | null, key: string | null): HTMLElement | null {
  return key === null ? null : (scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null)
}

/**
 * Presses the row's own button: opens its body, or the child session of a task. For parallel tasks it opens the details
 * of the focused task, or of all.
 */
function activate(row: HTMLElement | null): void {
  const lane = row?.contains(document.activeElement) ? document.activeElement?.closest("[data-lane]") : null
  const button =
    row?.dataset.kind === "lanes" ? "button[aria-expanded]" : "button:not(:disabled, [data-copy], [data-aside])"
  ;(lane ?? row)?.querySelector<HTMLButtonElement>(button)?.click()
}
