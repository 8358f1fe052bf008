import type { ReviewOverview, TaskReview } from "@docket/core"

/** What people say of the tasks of a tree, by task. */
export function reviewsByTask(overview: ReviewOverview | undefined): ReadonlyMap<string, TaskReview> {
  return new Map((overview?.tasks ?? []).map((review) => [review.taskID, review]))
}
