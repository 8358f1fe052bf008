import type { ReviewComment, ReviewThread, ReviewVerdict } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { reviewNotice, reviewText } from "./review-words.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

interface Said {
  /** One, or none: a note tells of one, so that a newer one can take its place. */
  verdicts?: readonly [] | readonly [ReviewVerdict]
  told?: readonly { thread: ReviewThread; comment: ReviewComment }[]
}

/**
 * What tells the agents that delegated of what people said of their tasks: a note for each, which it reads before its
 * next step. No step is taken for it.
 */
export async function notesForParents(
  { store, createID }: Pick<ReviewsDeps, "store" | "createID">,
  rootID: string,
  { verdicts = [], told = [] }: Said,
): Promise<Mutation[]> {
  const taskIDs = new Set([...verdicts.map(({ taskID }) => taskID), ...told.map(({ thread }) => thread.taskID)])
  const tasks = (await store.task.tree(rootID)).filter(({ id }) => taskIDs.has(id))
  const byParent = Map.groupBy(tasks, ({ parentID }) => parentID)
  return [...byParent].map(([parentID, own]): Mutation => {
    const taskOf = (id: string | null) => own.find((task) => task.id === id) ?? null
    const notice = reviewNotice({
      sendingID: null,
      verdicts: verdicts.filter(({ taskID }) => taskOf(taskID) !== null),
      comments: told.filter(({ thread }) => taskOf(thread.taskID) !== null),
      taskOf,
    })
    const [verdict] = verdicts
    const about = verdict && { verdictID: verdict.id }
    const value = { id: createID("part"), text: reviewText(notice), notice, quiet: true, ...about } as const
    return { kind: "session.note", sessionID: parentID, value }
  })
}
