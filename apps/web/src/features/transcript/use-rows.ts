"use client"

import type { TranscriptWindow } from "@docket/core/tree"
import { useMemo, useRef } from "react"
import { layOutRows, type RowsOptions } from "./lay-out-rows.ts"
import { keepUnchanged } from "./rows/keep-unchanged.ts"
import type { Row } from "./rows/row.ts"

/** The rows of the loaded window. Unchanged rows stay the same objects, so that they do not render again. */
export function useRows(window: TranscriptWindow | undefined, options: RowsOptions): readonly Row[] {
  const { hidden, busy, open, part, waiting } = options
  const previous = useRef<{ all: readonly Row[]; shown: readonly Row[] }>({ all: [], shown: [] })
  return useMemo(() => {
    if (!window) return []
    const { all, shown } = layOutRows(window, { hidden, busy, open, part, waiting }, previous.current.all)
    previous.current = { all, shown: keepUnchanged(shown, previous.current.shown) }
    return previous.current.shown
  }, [window, hidden, busy, open, part, waiting])
}
