import type { ReviewMark } from "@docket/core/review-marks"
import type { VerdictKind } from "@docket/core/schema"

/** What people together say of a task, in words: apart from how it ran. */
export const markLabel: Record<ReviewMark, string> = {
  approved: "Approved",
  needs_changes: "Needs changes",
  rejected: "Rejected",
  stale: "Stale verdict",
  none: "No verdict",
}

/** A verdict as a button gives it. */
export const verdictLabel: Record<VerdictKind, string> = {
  approve: "Approve",
  needs_changes: "Needs changes",
  reject: "Reject",
}

/** What a person did who gave a verdict. */
export const gaveVerdict: Record<VerdictKind, string> = {
  approve: "approved",
  needs_changes: "asked for changes",
  reject: "rejected",
}

/** The mark that one person's verdict stands for. */
export const markOfVerdict: Record<VerdictKind, ReviewMark> = {
  approve: "approved",
  needs_changes: "needs_changes",
  reject: "rejected",
}
