import type { ReviewOverview, TaskReview } from "@docket/core"
import { type ReviewStatus, reviewStatus } from "@docket/core/review-status"
import type { ReviewVerdict } from "@docket/core/schema"

/** The review of a task that nobody has reviewed yet. */
export function emptyReview(taskID: string): TaskReview {
  return { taskID, mark: "none", verdicts: [], viewed: null, threads: { open: 0, resolved: 0 } }
}

/** The expected overview after this verdict is stored: it replaces the user's earlier verdict. */
export function withVerdict(overview: ReviewOverview, verdict: ReviewVerdict): ReviewOverview {
  return updated(overview, verdict.taskID, (review) => ({
    ...review,
    verdicts: [...withoutPerson(review, verdict.by.person), { verdict, fresh: true, newParts: 0, changed: false }],
  }))
}

/** The overview without the user's verdict on the task. */
export function withoutVerdict(
  overview: ReviewOverview,
  { taskID, person }: { taskID: string; person: string },
): ReviewOverview {
  return updated(overview, taskID, (review) => ({ ...review, verdicts: withoutPerson(review, person) }))
}

/** The overview after the user marked the task as viewed at `at` (epoch ms), or with null as not viewed. */
export function withViewed(overview: ReviewOverview, taskID: string, at: number | null): ReviewOverview {
  const viewed = at === null ? null : { at, last: null, newParts: 0, changed: false }
  return updated(overview, taskID, (review) => ({ ...review, viewed }))
}

function withoutPerson({ verdicts }: TaskReview, person: string): TaskReview["verdicts"] {
  return verdicts.filter(({ verdict }) => verdict.by.person !== person)
}

function updated(overview: ReviewOverview, taskID: string, change: (review: TaskReview) => TaskReview): ReviewOverview {
  const known = overview.tasks.some((review) => review.taskID === taskID)
  const tasks = known ? overview.tasks : [...overview.tasks, emptyReview(taskID)]
  return {
    ...overview,
    tasks: tasks.map((review) => {
      if (review.taskID !== taskID) return review
      const next = change(review)
      return { ...next, mark: reviewStatus(next.verdicts) }
    }),
  }
}

/** Whether someone has judged the task and nothing has changed since. */
export function isReviewed(status: ReviewStatus): boolean {
  return status !== "none" && status !== "stale"
}

/** Whether the user has viewed the whole task in its current state. */
export function isSeen(review: Pick<TaskReview, "viewed"> | null): boolean {
  return review?.viewed != null && review.viewed.newParts === 0 && !review.viewed.changed
}
