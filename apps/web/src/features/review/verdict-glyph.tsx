import type { ReviewStatus } from "@docket/core/review-status"
import { Check, Diff, History, X } from "lucide-react"
import styles from "./verdict-glyph.module.css"
import { reviewStatusLabel } from "./verdict-labels.ts"

const signs = { approved: Check, needs_changes: Diff, rejected: X, stale: History, none: null } as const

/**
 * A verdict as a stamp: a square with its own sign, so that it is clear without colour and differs from run states,
 * which are round. `label` replaces the words; pass "" when text beside it says the same.
 */
export function VerdictGlyph({ status, label = reviewStatusLabel[status] }: { status: ReviewStatus; label?: string }) {
  const Sign = signs[status]
  const sign = Sign === null ? null : <Sign size={11} strokeWidth={3} aria-hidden />
  if (label === "") {
    return (
      <span className={styles.glyph} data-status={status}>
        {sign}
      </span>
    )
  }
  return (
    <span role="img" aria-label={label} title={label} className={styles.glyph} data-status={status}>
      {sign}
    </span>
  )
}
