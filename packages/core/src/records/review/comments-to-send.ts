import { DocketError } from "../../ground/error/docket-error.ts"
import type { ReviewSending } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { type NotifiedComment, type Posting, postingMutations } from "./drafts.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

/** Comments that go to an agent together. `before` stores what of them is not stored yet. */
export interface CommentsToSend {
  to: ReviewSending["to"]
  /** The id of the sending, when the request gives one. */
  id?: string | undefined
  told: NotifiedComment[]
  before: Mutation[]
}

/** The drafts that are being posted, and existing comments of the tree. @throws comment_not_found */
export async function commentsToSend(
  { store }: Pick<ReviewsDeps, "store">,
  rootID: string,
  { posting, commentIDs }: { posting: Posting; commentIDs: readonly string[] },
): Promise<Pick<CommentsToSend, "told" | "before">> {
  const tree = await store.review.tree(rootID)
  // For a draft that is already posted, its comment is sent.
  const ids = new Set([...commentIDs, ...posting.draftIDs.filter((id) => !posting.comments.some((it) => it.id === id))])
  const threads = new Map(tree.threads.map((thread) => [thread.id, thread]))
  const there = tree.comments.filter(({ id }) => ids.has(id))
  const missing = [...ids].find((id) => !there.some((comment) => comment.id === id))
  if (missing !== undefined) throw new DocketError("comment_not_found", `There is no comment ${missing}.`)
  const told = there.flatMap((comment) => {
    const thread = threads.get(comment.threadID)
    return thread === undefined ? [] : [{ thread, comment }]
  })
  return { told: [...told, ...posting.told], before: postingMutations(posting) }
}
