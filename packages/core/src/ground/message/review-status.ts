import { isImportedPerson } from "../schema/imported-person.ts"
import type { ReviewVerdict } from "../schema/index.ts"

/** The common result of the verdicts of people on a task, independent of how the task ran. */
export type ReviewStatus = "rejected" | "needs_changes" | "approved" | "stale" | "none"

/** A verdict that stands, and whether the task is still what it was given on. */
export interface StandingVerdict {
  verdict: ReviewVerdict
  fresh: boolean
}

/** The newest verdict of each person that is not withdrawn, oldest first. Ids ascend. */
export function standingVerdicts(verdicts: Iterable<ReviewVerdict>): ReviewVerdict[] {
  const newest = new Map<string, ReviewVerdict>()
  for (const verdict of verdicts) {
    const { person } = verdict.by
    const before = newest.get(person)
    const isNewer = before === undefined || before.id < verdict.id
    if (verdict.time.withdrawn === null && isNewer) newest.set(person, verdict)
  }
  return [...newest.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Whether a task is what a verdict was given on: it gained no parts, and its files hold what they held. */
export function isFresh({ on }: Pick<ReviewVerdict, "on">, now: { newParts: number; digest: string | null }): boolean {
  return now.newParts === 0 && (on.files === null || on.files.digest === now.digest)
}

/** Whether somebody here gave it. Verdicts that an imported file names make no mark. */
export function isGivenHere({ by }: Pick<ReviewVerdict, "by">): boolean {
  return !isImportedPerson(by.person)
}

/**
 * The mark of a task, from its verdicts that are not stale: one rejection rejects the task; otherwise one request for
 * changes asks for them; otherwise one approval approves it. When all verdicts are stale, so is the mark.
 */
export function reviewStatus(standing: readonly StandingVerdict[]): ReviewStatus {
  const given = standing.filter(({ verdict }) => isGivenHere(verdict))
  const fresh = new Set(given.flatMap(({ verdict, fresh }) => (fresh ? [verdict.verdict] : [])))
  if (fresh.has("reject")) return "rejected"
  if (fresh.has("needs_changes")) return "needs_changes"
  if (fresh.has("approve")) return "approved"
  return given.length > 0 ? "stale" : "none"
}
