import type { ReviewOverview, TaskReview } from "@docket/core"

export function reviewsByTask(overview: ReviewOverview | undefined): ReadonlyMap<string, TaskReview> {
  return new Map((overview?.tasks ?? []).map((review) => [review.taskID, review]))
}
