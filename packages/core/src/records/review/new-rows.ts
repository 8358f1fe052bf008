import type { Caller, ReviewComment, ReviewThread } from "../../ground/schema/index.ts"
import { commentText, mentionsOf } from "./comment-text.ts"
import type { PlacedAnchor } from "./place-anchor.ts"

interface Place {
  rootID: string
  sessionID: string
  threadID: string
  by: Caller
}

export function newThread({ threadID, ...place }: Place, placed: PlacedAnchor, now: number): ReviewThread {
  return { id: threadID, ...place, ...placed, resolved: null, time: { created: now } }
}

/** @throws invalid_input when the text is empty or too long */
export function newComment(id: string, place: Place, text: string, now: number): ReviewComment {
  const said = commentText(text)
  const time = { created: now, edited: null, deleted: null }
  return { id, ...place, text: said, mentions: mentionsOf(said), sent: null, answer: null, time }
}
