import { createRequestDrafts } from "../request-drafts.ts"

/** The user's draft reply to a request; null while a form is closed. */
interface DraftReply {
  /** The reason of a rejection. */
  reason: string | null
  /** The patterns for "always", one per line. */
  typed: string | null
}

export const noReply: DraftReply = { reason: null, typed: null }

export const draftReplies = createRequestDrafts("docket-replies-1", isReply)

function isReply(value: unknown): value is DraftReply {
  // The fields are checked one by one below.
  const reply = value as Partial<DraftReply> | null
  return isWords(reply?.reason) && isWords(reply?.typed)
}

function isWords(value: unknown): value is string | null {
  return value === null || typeof value === "string"
}
