"use client"

import type { Session } from "@docket/core/schema"
import type { TranscriptWindow } from "@docket/core/tree"
import { useMemo, useRef } from "react"
import type { Waiting } from "../tree/find-waiting.ts"
import { keptMessages } from "../tree/kept-messages.ts"
import { foldRows } from "./rows/fold-rows.ts"
import { isWaiting } from "./rows/is-waiting.ts"
import { keepUnchanged } from "./rows/keep-unchanged.ts"
import { openLanes } from "./rows/open-lanes.ts"
import type { Row } from "./rows/row.ts"
import { toRows } from "./rows/to-rows.ts"

interface RowsOptions {
  /** What is undone and not shown. */
  hidden: Session["revert"]
  busy: boolean
  open: ReadonlyMap<string, boolean>
  part: string | null
  waiting: Waiting
}

/** The rows of what is loaded. Those that did not change stay the same objects, so that they are not drawn again. */
export function useRows(window: TranscriptWindow | undefined, options: RowsOptions): readonly Row[] {
  const { hidden, busy, open, part, waiting } = options
  const previous = useRef<{ all: readonly Row[]; shown: readonly Row[] }>({ all: [], shown: [] })
  return useMemo(() => {
    if (!window) return []
    const context = { atEnd: window.after === null, busy, previous: previous.current.all }
    const all = toRows(keptMessages(window.messages, hidden), context)
    const folded = foldRows(openLanes(all, open), { open, part, waits: (row) => isWaiting(row, waiting) })
    const shown = keepUnchanged(folded, previous.current.shown)
    previous.current = { all, shown }
    return shown
  }, [window, hidden, busy, open, part, waiting])
}
