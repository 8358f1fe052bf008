import type { ReviewStatus } from "@docket/core/review-status"
import type { VerdictKind } from "@docket/core/schema"

/** Labels for the combined verdict on a task; independent of how its run ended. */
export const reviewStatusLabel: Record<ReviewStatus, string> = {
  approved: "Approved",
  needs_changes: "Needs changes",
  rejected: "Rejected",
  stale: "Stale verdict",
  none: "No verdict",
}

export const verdictLabel: Record<VerdictKind, string> = {
  approve: "Approve",
  needs_changes: "Needs changes",
  reject: "Reject",
}

/** What the user who gave a verdict did, in the past tense. */
export const gaveVerdict: Record<VerdictKind, string> = {
  approve: "approved",
  needs_changes: "asked for changes",
  reject: "rejected",
}

/** The mark for one user's verdict. */
export const reviewStatusOf: Record<VerdictKind, ReviewStatus> = {
  approve: "approved",
  needs_changes: "needs_changes",
  reject: "rejected",
}
