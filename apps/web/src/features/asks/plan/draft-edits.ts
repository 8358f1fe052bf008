import { createRequestDrafts } from "../request-drafts.ts"

/** A plan as a person has typed it so far, and the version of the file that they began with. */
interface DraftEdit {
  typed: string
  base: string
}

export const draftEdits = createRequestDrafts("docket-plan-edits-1", isEdit)

function isEdit(value: unknown): value is DraftEdit {
  // Its fields are looked at one by one below.
  const edit = value as Partial<DraftEdit> | null
  return typeof edit?.typed === "string" && typeof edit.base === "string"
}
