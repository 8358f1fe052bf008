import type { TaskReview } from "@docket/core"
import type { ReviewRow } from "./review-rows.ts"

/** What came to a task after somebody said something of it. */
export interface News {
  /** Its verdicts hold no more, or it is only new to the reader. */
  kind: "stale" | "new"
  newParts: number
  changed: boolean
  /** The last part that was there then; what is new comes after it. */
  partID: string | null
}

/**
 * The news of a task for its reader: since the newest verdict where all of them are stale, else since they looked. What was
 * said of an earlier attempt counts, for it was said of the same transcript.
 */
export function newsOf(
  row: Pick<ReviewRow, "attempts" | "mark">,
  reviews: ReadonlyMap<string, TaskReview>,
): News | null {
  const said = row.attempts.flatMap(({ id }) => reviews.get(id) ?? [])
  if (row.mark === "stale") {
    const last = said
      .flatMap(({ verdicts }) => verdicts)
      .toSorted((a, b) => a.verdict.time.created - b.verdict.time.created)
      .at(-1)
    if (last !== undefined) {
      const { newParts, changed, verdict } = last
      return { kind: "stale", newParts, changed, partID: verdict.on.last?.partID ?? null }
    }
  }
  const viewed = said.findLast((review) => review.viewed !== null)?.viewed
  if (!viewed || (viewed.newParts === 0 && !viewed.changed)) return null
  return { kind: "new", newParts: viewed.newParts, changed: viewed.changed, partID: viewed.last?.partID ?? null }
}
