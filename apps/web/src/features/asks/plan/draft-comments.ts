import { createRequestDrafts } from "../request-drafts.ts"

/** A comment on a plan that is being written: what was selected, what it is about, and its words. */
export interface PlanCommentDraft {
  selected: string | null
  about: string
  text: string
}

export const draftComments = createRequestDrafts("docket-plan-comment-1", isComment)

function isComment(value: unknown): value is PlanCommentDraft {
  // Its fields are looked at one by one below.
  const comment = value as Partial<PlanCommentDraft> | null
  return (
    typeof comment?.text === "string" &&
    typeof comment.about === "string" &&
    (comment.selected === null || typeof comment.selected === "string")
  )
}
