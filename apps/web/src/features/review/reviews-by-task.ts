import type { ReviewOverview, TaskReview } from "@docket/core"

/** The reviews of a tree's tasks, by task id. */
export function reviewsByTask(overview: ReviewOverview | undefined): ReadonlyMap<string, TaskReview> {
  return new Map((overview?.tasks ?? []).map((review) => [review.taskID, review]))
}
