"use client"

import { ChevronRight } from "lucide-react"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import tools from "../../tools/tools.module.css"
import { foldLabels } from "./fold-labels.ts"
import type { Row } from "./row.ts"
import styles from "./rows.module.css"
import { useTranscriptActions } from "./transcript-actions.ts"

/** One line for several lookup calls; it opens to one row for each call. */
export function FoldRow({ row }: { row: Extract<Row, { kind: "fold" }> }) {
  const { setOpen } = useTranscriptActions()
  const { what, names, running } = foldLabels(row.parts)
  return (
    <button type="button" className={tools.header} aria-expanded={row.open} onClick={() => setOpen(row.key, !row.open)}>
      <StatusGlyph status={running ? "running" : "done"} size={13} />
      <span className={styles.foldWhat}>{what}</span>
      <span className={tools.title}>{row.open ? "" : names.join(" · ")}</span>
      <ChevronRight size={13} aria-hidden className={styles.chevron} data-open={row.open} />
    </button>
  )
}
