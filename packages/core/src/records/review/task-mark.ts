import { isGivenHere, type ReviewMark, reviewMark, standingVerdicts } from "../../ground/message/review-marks.ts"
import type { Task } from "../../ground/schema/index.ts"
import { changesSince } from "./reviewed-state.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

/** What people say of one task now: its mark, and the reason of the newest verdict that makes it. */
export async function taskMark(
  deps: Pick<ReviewsDeps, "store" | "fileDigest">,
  { id, rootID }: Pick<Task, "id" | "rootID">,
): Promise<{ mark: ReviewMark; reason: string }> {
  const { verdicts } = await deps.store.review.tree(rootID)
  const standing = standingVerdicts(verdicts.filter(({ taskID }) => taskID === id))
  const since = await changesSince(deps, standing)
  const judged = standing.map((verdict) => ({ verdict, fresh: since(verdict.id).fresh }))
  const mark = reviewMark(judged)
  const kinds = { rejected: "reject", needs_changes: "needs_changes", approved: "approve", stale: null, none: null }
  const maker = judged.findLast(
    ({ verdict, fresh }) => fresh && isGivenHere(verdict) && verdict.verdict === kinds[mark],
  )
  return { mark, reason: maker?.verdict.reason ?? "" }
}
