import { createBegun } from "../begun.ts"

/** A comment on a plan that is being written: what was selected, what it is about, and its words. */
export interface BegunComment {
  selected: string | null
  about: string
  text: string
}

export const begunComments = createBegun("docket-plan-comment-1", isComment)

function isComment(value: unknown): value is BegunComment {
  // Its fields are looked at one by one below.
  const comment = value as Partial<BegunComment> | null
  return (
    typeof comment?.text === "string" &&
    typeof comment.about === "string" &&
    (comment.selected === null || typeof comment.selected === "string")
  )
}
