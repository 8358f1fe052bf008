import type { CommentStore } from "../../commenting/comment-store.ts"
import { hasSelectedText } from "../../commenting/selected-text.ts"

/** Begins a comment on the selected words, else on the session of the task. */
export function commentHere(comments: CommentStore, sessionID: string): void {
  if (hasSelectedText()) comments.wish({ kind: "selection" })
  else comments.wish({ kind: "place", sessionID, place: { kind: "session" } })
}
