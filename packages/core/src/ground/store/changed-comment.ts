import { CommentSentError } from "../error/docket-error.ts"
import type { ReviewComment } from "../schema/index.ts"
import type { CommentChange } from "./port/tree-change.ts"

/**
 * The comment as a change leaves it. What comes too late (of another sending, a second answer) leaves it as it is.
 * @throws CommentSentError
 */
export function changedComment(comment: ReviewComment, change: CommentChange): ReviewComment {
  const { sent, time } = comment
  switch (change.kind) {
    case "edited": {
      if (time.deleted !== null) return comment
      const { text, mentions, at } = change
      return { ...comment, text, mentions, time: { ...time, edited: at } }
    }
    case "deleted":
      if (time.deleted !== null) return comment
      return { ...comment, text: "", mentions: [], time: { ...time, deleted: change.at } }
    case "sent":
      if (time.deleted !== null || (sent?.id ?? null) !== change.instead) throw new CommentSentError(comment.id)
      return { ...comment, sent: change.sent, answer: null }
    case "read":
      if (sent?.id !== change.sendingID || sent.messageID !== null) return comment
      return { ...comment, sent: { ...sent, messageID: change.messageID } }
    case "answered":
      if (asksOf(comment) === null) return comment
      return { ...comment, answer: { messageID: change.messageID } }
    default:
      return change satisfies never
  }
}

/** The session whose agent has read the comment and not answered it yet. */
export function asksOf({ sent, answer }: Pick<ReviewComment, "sent" | "answer">): string | null {
  return sent !== null && sent.messageID !== null && answer === null ? sent.sessionID : null
}
