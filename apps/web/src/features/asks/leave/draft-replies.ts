import { createRequestDrafts } from "../request-drafts.ts"

/** What a person has typed so far into the forms of a request; null while a form is closed. */
interface DraftReply {
  /** The words that go with a rejection. */
  reason: string | null
  /** What "always" is to remember, a pattern a line. */
  typed: string | null
}

export const noReply: DraftReply = { reason: null, typed: null }

export const draftReplies = createRequestDrafts("docket-replies-1", isReply)

function isReply(value: unknown): value is DraftReply {
  // Its fields are looked at one by one below.
  const reply = value as Partial<DraftReply> | null
  return isWords(reply?.reason) && isWords(reply?.typed)
}

function isWords(value: unknown): value is string | null {
  return value === null || typeof value === "string"
}
