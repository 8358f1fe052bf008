import { createRequestDrafts } from "../request-drafts.ts"

/** A draft comment on a plan: the selected text, its subject, and its text. */
export interface PlanCommentDraft {
  selected: string | null
  about: string
  text: string
}

export const draftComments = createRequestDrafts("docket-plan-comment-1", isComment)

function isComment(value: unknown): value is PlanCommentDraft {
  // The fields are checked one by one below.
  const comment = value as Partial<PlanCommentDraft> | null
  return (
    typeof comment?.text === "string" &&
    typeof comment.about === "string" &&
    (comment.selected === null || typeof comment.selected === "string")
  )
}
