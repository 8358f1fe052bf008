import type { MessageWithParts } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"

/** How many of the session's last messages are searched for the answer of the ended turn. */
const lookedAt = 20

/**
 * Links the answer of an ended turn to the comments that its agent read. The answer is the last message with text, or
 * else the last message. Empty when the agent read no comments.
 */
export async function answersToComments(
  store: Pick<Store, "review" | "transcript">,
  sessionID: string,
): Promise<Mutation[]> {
  const waiting = await store.review.unanswered(sessionID)
  if (waiting.length === 0) return []
  const { items } = await store.transcript.page({ sessionID, limit: lookedAt })
  const answers = items.filter(({ info }) => info.role === "assistant" && !info.summary)
  const answer = answers.findLast(hasWords) ?? answers.at(-1)
  if (answer === undefined) return []
  const messageID = answer.info.id
  // Ids grow with time: comments that the agent read after the answer stay open.
  return waiting.flatMap(({ id, sent }): Mutation[] =>
    (sent?.messageID ?? "") < messageID
      ? [{ kind: "comment.change", commentID: id, change: { kind: "answered", messageID } }]
      : [],
  )
}

function hasWords({ parts }: MessageWithParts): boolean {
  return parts.some((part) => part.type === "text" && part.text.trim() !== "")
}
