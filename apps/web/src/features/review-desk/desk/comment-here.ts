import type { CommentStore } from "../../commenting/comment-store.ts"
import { hasSelectedText } from "../../commenting/selected-text.ts"

/** Starts a comment on the selected text; without a selection, on the task's session. */
export function commentHere(comments: CommentStore, sessionID: string): void {
  if (hasSelectedText()) comments.wish({ kind: "selection" })
  else comments.wish({ kind: "place", sessionID, place: { kind: "session" } })
}
