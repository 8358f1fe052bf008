import type { ReviewOverview, TaskReview } from "@docket/core"
import { type ReviewMark, reviewMark } from "@docket/core/review-marks"
import type { ReviewVerdict } from "@docket/core/schema"

/** What is said of a task of which nobody has said anything. */
export function unsaid(taskID: string): TaskReview {
  return { taskID, mark: "none", verdicts: [], viewed: null, threads: { open: 0, resolved: 0 } }
}

/** The overview as it will be once this verdict is stored: it stands in place of the person's one before. */
export function withVerdict(overview: ReviewOverview, verdict: ReviewVerdict): ReviewOverview {
  return changed(overview, verdict.taskID, (review) => ({
    ...review,
    verdicts: [...withoutPerson(review, verdict.by.person), { verdict, fresh: true, newParts: 0, changed: false }],
  }))
}

/** The overview without what the person has said of the task. */
export function withoutVerdict(
  overview: ReviewOverview,
  { taskID, person }: { taskID: string; person: string },
): ReviewOverview {
  return changed(overview, taskID, (review) => ({ ...review, verdicts: withoutPerson(review, person) }))
}

/** The overview when the caller has looked at the task as it is at `at` (epoch ms), or with null has not. */
export function withLook(overview: ReviewOverview, taskID: string, at: number | null): ReviewOverview {
  const viewed = at === null ? null : { at, last: null, newParts: 0, changed: false }
  return changed(overview, taskID, (review) => ({ ...review, viewed }))
}

function withoutPerson({ verdicts }: TaskReview, person: string): TaskReview["verdicts"] {
  return verdicts.filter(({ verdict }) => verdict.by.person !== person)
}

function changed(overview: ReviewOverview, taskID: string, change: (review: TaskReview) => TaskReview): ReviewOverview {
  const known = overview.tasks.some((review) => review.taskID === taskID)
  const tasks = known ? overview.tasks : [...overview.tasks, unsaid(taskID)]
  return {
    ...overview,
    tasks: tasks.map((review) => {
      if (review.taskID !== taskID) return review
      const next = change(review)
      return { ...next, mark: reviewMark(next.verdicts) }
    }),
  }
}

/** Whether somebody has judged the task and nothing came since. */
export function isReviewed(mark: ReviewMark): boolean {
  return mark !== "none" && mark !== "stale"
}

/** Whether the reader has looked at all of the task as it is now. */
export function isSeen(review: Pick<TaskReview, "viewed"> | null): boolean {
  return review?.viewed != null && review.viewed.newParts === 0 && !review.viewed.changed
}
