import type { MessageWithParts } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"

/** Messages at the end of a turn among which its answer is looked for. */
const lookedAt = 20

/**
 * What links the answer of a turn that has ended to the comments that its agent read: the last message with words in it,
 * else the last one. Nothing when it read none.
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
  return waiting.flatMap(({ id, sent }): Mutation[] =>
    (sent?.messageID ?? "") < messageID
      ? [{ kind: "comment.change", commentID: id, change: { kind: "answered", messageID } }]
      : [],
  )
}

function hasWords({ parts }: MessageWithParts): boolean {
  return parts.some((part) => part.type === "text" && part.text.trim() !== "")
}
