import { DocketError } from "../../ground/error/docket-error.ts"
import type { Caller, ReviewComment, ReviewThread } from "../../ground/schema/index.ts"
import type { Change, CommentChange } from "../../ground/store/index.ts"
import { anchorStates } from "./anchor-states.ts"
import { commentText, mentionsOf } from "./comment-text.ts"
import { newComment, newThread } from "./new-rows.ts"
import { placeAnchor } from "./place-anchor.ts"
import type { ReviewService, ThreadView } from "./review-service.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

type Threads = Pick<ReviewService, "threads" | "editComment" | "deleteComment" | "resolve">

/** What people say to each other about places of a tree. */
export function createThreads(deps: ReviewsDeps, by: Caller): Threads {
  const changed = async (commentID: string, change: CommentChange): Promise<ReviewComment> => {
    const comment = await commentByID(deps, commentID)
    if (comment.by.person !== by.person) {
      throw new DocketError("forbidden", "Only its author may change a comment. Answer it in its thread.")
    }
    const changes = await deps.journal.commit(comment.rootID, [{ kind: "comment.change", commentID, change }])
    return changedIn(changes, commentID) ?? comment
  }
  return {
    threads: (sessionID, options) => threadViews(deps, sessionID, options?.only ?? false),
    async editComment(commentID, text) {
      const said = commentText(text)
      const comment = await changed(commentID, {
        kind: "edited",
        text: said,
        mentions: mentionsOf(said),
        at: deps.clock(),
      })
      // Also when it was deleted meanwhile: the words would be lost without a sign.
      if (comment.time.deleted === null) return comment
      throw new DocketError("invalid_input", "The comment was deleted. Write what you want to say as a new comment.")
    },
    deleteComment: (commentID) => changed(commentID, { kind: "deleted", at: deps.clock() }),
    async resolve(threadID, isResolved) {
      const thread = await threadByID(deps, threadID)
      if ((thread.resolved !== null) === isResolved) return thread
      const value: ReviewThread = { ...thread, resolved: isResolved ? { by, at: deps.clock() } : null }
      await deps.journal.commit(thread.rootID, [{ kind: "thread", value }])
      return value
    },
  }
}

/** A thread with its first comment, not yet stored. @throws as `placeAnchor`, and for the text */
export async function begunThread(
  deps: ReviewsDeps,
  by: Caller,
  ...[sessionID, place, text]: Parameters<ReviewService["createThread"]>
): Promise<{ thread: ReviewThread; comment: ReviewComment }> {
  const session = await deps.sessionByID(sessionID)
  const placed = await placeAnchor(deps, session, place)
  const now = deps.clock()
  const at = { rootID: session.rootID, sessionID, threadID: deps.createID("reviewThread"), by }
  return {
    thread: newThread(at, placed, now),
    comment: newComment(deps.createID("reviewComment"), at, text, now),
  }
}

/** A comment that answers in a thread, not yet stored. */
export async function begunReply(
  deps: ReviewsDeps,
  by: Caller,
  threadID: string,
  text: string,
): Promise<{ thread: ReviewThread; comment: ReviewComment }> {
  const thread = await threadByID(deps, threadID)
  const { rootID, sessionID } = thread
  const at = { rootID, sessionID, threadID, by }
  return { thread, comment: newComment(deps.createID("reviewComment"), at, text, deps.clock()) }
}

async function threadViews(deps: ReviewsDeps, sessionID: string, isOnly: boolean): Promise<ThreadView[]> {
  const { rootID } = await deps.sessionByID(sessionID)
  const tree = await deps.store.review.tree(rootID)
  const threads = isOnly ? tree.threads.filter((thread) => thread.sessionID === sessionID) : tree.threads
  const comments = Map.groupBy(tree.comments, ({ threadID }) => threadID)
  const states = await anchorStates(deps, rootID, threads)
  return threads.map((thread) => ({
    thread,
    comments: comments.get(thread.id) ?? [],
    anchor: states.get(thread.id) ?? { state: "gone" },
  }))
}

async function threadByID({ store }: ReviewsDeps, id: string): Promise<ReviewThread> {
  const thread = await store.review.thread(id)
  if (thread === null) throw new DocketError("thread_not_found", `There is no thread ${id}.`)
  return thread
}

async function commentByID({ store }: ReviewsDeps, id: string): Promise<ReviewComment> {
  const comment = await store.review.comment(id)
  if (comment === null) throw new DocketError("comment_not_found", `There is no comment ${id}.`)
  return comment
}

/** A comment as a commit left it last. */
function changedIn(changes: readonly Change[], commentID: string): ReviewComment | null {
  const change = changes.findLast((change) => change.kind === "comment" && change.value.id === commentID)
  return change?.kind === "comment" ? change.value : null
}
