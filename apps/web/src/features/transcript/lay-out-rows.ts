import type { Session } from "@docket/core/schema"
import type { TranscriptWindow } from "@docket/core/tree"
import type { Waiting } from "../tree/find-waiting.ts"
import { visibleMessages } from "../tree/visible-messages.ts"
import { foldRows } from "./rows/fold-rows.ts"
import { isWaiting } from "./rows/is-waiting.ts"
import { openLanes } from "./rows/open-lanes.ts"
import type { Row } from "./rows/row.ts"
import { toRows } from "./rows/to-rows.ts"

export interface RowsOptions {
  /** The undo whose messages are hidden; null hides none. */
  hidden: Session["revert"]
  busy: boolean
  /** Whether the reader unfolded a row, by its key. */
  open: ReadonlyMap<string, boolean>
  /** The part named in the address. */
  part: string | null
  waiting: Waiting
}

/** The rows of the loaded window: `all` of them, and those `shown` after folding consecutive lookups. */
export function layOutRows(
  window: TranscriptWindow,
  { hidden, busy, open, part, waiting }: RowsOptions,
  previous: readonly Row[] = [],
): { all: Row[]; shown: Row[] } {
  const context = { atEnd: window.after === null, busy, previous }
  const all = toRows(visibleMessages(window.messages, hidden), context)
  const shown = foldRows(openLanes(all, open), { open, part, waits: (row) => isWaiting(row, waiting) })
  return { all, shown }
}
