import type { CommentStore } from "../commenting/comment-store.ts"
import { hasSelectedWords } from "../commenting/selected-words.ts"

/** Begins a comment on the selected words, else on the row that has the focus, else on the session. */
export function commentHere(comments: CommentStore, sessionID: string): void {
  if (hasSelectedWords()) {
    comments.wish({ kind: "selection" })
    return
  }
  const row = document.activeElement?.closest("[data-row]")?.querySelector<HTMLElement>("[data-comment]")
  if (row) row.click()
  else comments.wish({ kind: "place", sessionID, place: { kind: "session" } })
}
