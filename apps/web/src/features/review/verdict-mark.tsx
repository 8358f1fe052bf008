import type { ReviewMark } from "@docket/core/review-marks"
import { Check, Diff, History, X } from "lucide-react"
import { markLabel } from "./verdict-labels.ts"
import styles from "./verdict-mark.module.css"

const signs = { approved: Check, needs_changes: Diff, rejected: X, stale: History, none: null } as const

/**
 * A verdict as a stamp: a square with its own sign, so that it is clear without colour and differs from run states,
 * which are round. `label` replaces the words; pass "" when text beside it says the same.
 */
export function VerdictMark({ mark, label = markLabel[mark] }: { mark: ReviewMark; label?: string }) {
  const Sign = signs[mark]
  const sign = Sign === null ? null : <Sign size={11} strokeWidth={3} aria-hidden />
  if (label === "") {
    return (
      <span className={styles.mark} data-mark={mark}>
        {sign}
      </span>
    )
  }
  return (
    <span role="img" aria-label={label} title={label} className={styles.mark} data-mark={mark}>
      {sign}
    </span>
  )
}
