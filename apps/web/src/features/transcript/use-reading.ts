"use client"

import { type RefObject, useCallback, useEffect, useRef, useState } from "react"
import { isTyping } from "../../ui/is-typing.ts"
import type { Row } from "./rows/row.ts"
import type { Visit } from "./use-arrival.ts"
import { useFollow } from "./use-follow.ts"
import { type Paging, usePaging } from "./use-paging.ts"
import { useKeepPlace, useOpenAt } from "./use-place.ts"
import { rowElement, useRowKeys } from "./use-row-keys.ts"
import { useRowVirtualizer } from "./use-row-virtualizer.ts"
import { useStayAtEnd } from "./use-stay-at-end.ts"

interface Reading extends Paging {
  visit: Visit
  /** Number of prompts that were sent from this page. Each one brings the reader to the end. */
  sentPrompts: number
  /** Whether a row is unfolded, by its key. */
  open: ReadonlyMap<string, boolean>
  loadLatest(): void
  /** The server-rendered rows cover these, so the reader does not see them yet. */
  covered: boolean
}

const noRows: readonly Row[] = []
const noMore = { before: false, after: false }
const nothing = () => {}

/** The reader's position in the rows, the code that moves it, and the rows that are loaded and laid out around it. */
export function useReading(reading: Reading, scroller: RefObject<HTMLDivElement | null>) {
  const { rows, more, visit, loadLatest, covered } = reading
  const complete = !more.after
  const { wantsEnd, wantsEndNow, go, beforeMove } = useFollow(scroller, visit.around === null, complete)
  const following = wantsEnd && complete
  const [focused, setFocused] = useState<string | null>(null)
  const { arrival } = visit
  const virtualizer = useRowVirtualizer({ rows, scroller, arrival, focused, following, onMove: beforeMove })
  const away = useStayAtEnd(scroller, { following, wantsEndNow }, virtualizer)

  const reveal = useCallback(
    (index: number, align: "auto" | "center" | "start" = "auto") => {
      const row = rows[index]
      if (!row) return
      go(complete && index === rows.length - 1)
      setFocused(row.key)
      virtualizer.scrollToIndex(index, { align })
      requestAnimationFrame(() => {
        // Who steps through search results stays in the search, and who has begun to write stays in the field.
        if (document.activeElement?.closest("search") || isTyping(document.activeElement)) return
        rowElement(scroller.current, row.key)?.focus({ preventScroll: true })
      })
    },
    [rows, virtualizer, complete, go, scroller],
  )
  const toLatest = useCallback(() => {
    if (more.after) loadLatest()
    go(true)
    virtualizer.scrollToEnd()
  }, [more.after, loadLatest, virtualizer, go])

  useChange(reading.sentPrompts, toLatest)
  const { leave: leaveArrival, isSettling } = useOpenAt({ rows, scroller, virtualizer, arrival, reveal, go })
  const goElsewhere = useCallback(
    (toEnd: boolean) => {
      leaveArrival()
      go(toEnd)
    },
    [leaveArrival, go],
  )
  const keep = covered ? nothing : visit.keep
  useKeepPlace({ rows, scroller, virtualizer, following, open: reading.open, isSettling, keep })
  usePaging(virtualizer.range, () => virtualizer.calculateRange(), covered ? { ...reading, more: noMore } : reading)
  const middle = middleIndex(virtualizer.range)
  useRowKeys({ rows: covered ? noRows : rows, scroller, focused, middle, reveal })
  const atEnd = complete && !away
  return { virtualizer, focused, setFocused, following, atEnd, reveal, toLatest, goElsewhere }
}

/** Runs `act` when the value changes, but not on mount. */
function useChange(value: number, act: () => void): void {
  const last = useRef(value)
  useEffect(() => {
    if (last.current === value) return
    last.current = value
    act()
  }, [value, act])
}

function middleIndex(range: { startIndex: number; endIndex: number } | null): number {
  return range === null ? -1 : Math.floor((range.startIndex + range.endIndex) / 2)
}
