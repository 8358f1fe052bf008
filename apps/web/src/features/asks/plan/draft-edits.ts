import { createRequestDrafts } from "../request-drafts.ts"

/** A user's unsaved edit of a plan, and the version of the file it is based on. */
interface DraftEdit {
  typed: string
  base: string
}

export const draftEdits = createRequestDrafts("docket-plan-edits-1", isEdit)

function isEdit(value: unknown): value is DraftEdit {
  // The fields are checked one by one below.
  const edit = value as Partial<DraftEdit> | null
  return typeof edit?.typed === "string" && typeof edit.base === "string"
}
