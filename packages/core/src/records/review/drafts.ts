import { isDeepStrictEqual } from "node:util"
import { DocketError } from "../../ground/error/docket-error.ts"
import type {
  Caller,
  ReviewAnchor,
  ReviewComment,
  ReviewDraft,
  ReviewSending,
  ReviewThread,
} from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { boundedText } from "./comment-text.ts"
import type { DraftPlace, ReviewService } from "./review-service.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"
import { newComment, newThread, placeAnchor } from "./threads.ts"

/** Draft comments, which only their author sees. */
interface Drafts extends Pick<ReviewService, "saveDraft" | "drafts" | "discardDraft"> {
  /**
   * The threads and comments that these drafts of a tree become; without `draftIDs`, all drafts of the caller in it.
   * Drafts that are already posted add none.
   */
  preparePosting(rootID: string, draftIDs: readonly string[] | undefined): Promise<Posting>
  /** Removes posted drafts. One that remains after a crash still counts as posted: its comment has the same id. */
  removePosted(posting: Posting): Promise<void>
}

/** A comment with its thread. */
export interface CommentInThread {
  thread: ReviewThread
  comment: ReviewComment
}

interface Posting {
  /** Threads that start with this posting. */
  threads: ReviewThread[]
  comments: ReviewComment[]
  /** `comments` with their threads, for the notes to agents. */
  notified: CommentInThread[]
  /** Includes drafts that were posted before. */
  draftIDs: string[]
}

export function createDrafts(deps: ReviewsDeps, by: Caller): Drafts {
  const { store } = deps
  const own = async (id: string): Promise<ReviewDraft> => {
    const draft = await store.review.draft(id)
    if (draft?.by.person !== by.person) throw new DocketError("comment_not_found", `There is no draft ${id}.`)
    return draft
  }
  const unposted = async (rootID: string) => {
    const [drafts, { comments, threads }] = await Promise.all([
      store.review.drafts(by.person, rootID),
      store.review.tree(rootID),
    ])
    const posted = new Set(comments.map(({ id }) => id))
    const ownCommentIDs = new Set(comments.flatMap((comment) => (comment.by.person === by.person ? [comment.id] : [])))
    return { drafts, threads, ownCommentIDs, open: drafts.filter(({ id }) => !posted.has(id)) }
  }
  /** The caller's draft at this place; each place has at most one. */
  const ownAt = async (fresh: ReviewDraft) => (await unposted(fresh.rootID)).open.find(isAt(fresh)) ?? fresh
  return {
    async saveDraft({ draftID, place, text, since }) {
      boundedText(text, "comment")
      const before = draftID === undefined ? await ownAt(await prepareDraft(deps, by, place)) : await own(draftID)
      const { time } = before
      // Without `since`, a draft is new to a caller who did not name it.
      const isUnseen = since === undefined ? draftID === undefined : since !== time.updated
      // Each save needs a new time, because the next save names it as the version it knows.
      const draft: ReviewDraft = {
        ...before,
        text,
        time: { ...time, updated: Math.max(deps.clock(), time.updated + 1) },
      }
      await store.review.putDraft(draft)
      const replacesText = before.text !== "" && before.text !== text
      return isUnseen && replacesText ? { ...draft, replaced: before.text } : draft
    },
    drafts: async (sessionID) => (await unposted((await deps.sessionByID(sessionID)).rootID)).open,
    async discardDraft(draftID) {
      await store.review.removeDrafts([(await own(draftID)).id])
    },
    async preparePosting(rootID, draftIDs) {
      const { drafts, open, ownCommentIDs, threads: known } = await unposted(rootID)
      const isPosted = (id: string) => ownCommentIDs.has(id)
      const missing = draftIDs?.find((id) => !isPosted(id) && !drafts.some((draft) => draft.id === id))
      if (missing !== undefined) throw new DocketError("comment_not_found", `There is no draft ${missing}.`)
      const isChosen = ({ id }: ReviewDraft) => draftIDs?.includes(id) ?? true
      const chosen = open.filter(isChosen)
      const threads = chosen.flatMap(({ anchor, taskID, ...draft }) =>
        anchor === null ? [] : newThread(placeOf(draft), { anchor, taskID }, deps.clock()),
      )
      const comments = chosen.map((draft) => newComment(draft.id, placeOf(draft), draft.text, deps.clock()))
      const byID = new Map([...known, ...threads].map((thread) => [thread.id, thread]))
      return {
        threads,
        comments,
        notified: comments.flatMap((comment) => {
          const thread = byID.get(comment.threadID)
          return thread === undefined ? [] : [{ thread, comment }]
        }),
        draftIDs: draftIDs === undefined ? drafts.map(({ id }) => id) : [...draftIDs],
      }
    },
    removePosted: ({ draftIDs }) => store.review.removeDrafts(draftIDs),
  }
}

/** Whether two drafts are at the same place or in the same thread. */
function isAt({ threadID, anchor, sessionID }: ReviewDraft): (draft: ReviewDraft) => boolean {
  if (anchor === null) return (draft) => draft.anchor === null && draft.threadID === threadID
  return (draft) => draft.sessionID === sessionID && isDeepStrictEqual(placeIn(draft.anchor), placeIn(anchor))
}

/** The place of an anchor, without its text. */
function placeIn(anchor: ReviewAnchor | null): unknown {
  return anchor && { ...anchor, quote: "", before: "", after: "" }
}

function placeOf({ rootID, sessionID, threadID, by }: Pick<ReviewDraft, "rootID" | "sessionID" | "threadID" | "by">) {
  return { rootID, sessionID, threadID, by }
}

/** The mutations that store the threads and comments of a posting. */
export function postingMutations({ threads, comments }: Pick<Posting, "threads" | "comments">): Mutation[] {
  return [
    ...threads.map((value): Mutation => ({ kind: "thread", value })),
    ...comments.map((value): Mutation => ({ kind: "comment", value })),
  ]
}

/** A new draft, without its text. */
async function prepareDraft(deps: ReviewsDeps, by: Caller, place: DraftPlace | undefined): Promise<ReviewDraft> {
  if (place === undefined) {
    throw new DocketError("invalid_input", "Say where the comment belongs: a place in a session, or a thread.")
  }
  const now = deps.clock()
  const base = { id: deps.createID("reviewComment"), by, text: "", time: { created: now, updated: now } }
  if ("threadID" in place) {
    const thread = await deps.store.review.thread(place.threadID)
    if (thread === null) throw new DocketError("thread_not_found", `There is no thread ${place.threadID}.`)
    const { rootID, sessionID, id: threadID, taskID } = thread
    return { ...base, rootID, sessionID, threadID, taskID, anchor: null }
  }
  const session = await deps.sessionByID(place.sessionID)
  const placed = await placeAnchor(deps, session, place.place)
  const { id: sessionID, rootID } = session
  return { ...base, rootID, sessionID, threadID: deps.createID("reviewThread"), ...placed }
}

/** Comments sent to an agent together. `before` has the mutations for comments that are not stored yet. */
export interface CommentsToSend {
  to: ReviewSending["to"]
  /** The id of the sending, when the request gives one. */
  id?: string | undefined
  /** The comments that the agent gets. */
  notified: CommentInThread[]
  before: Mutation[]
}

/** The drafts that are being posted, and existing comments of the tree. @throws comment_not_found */
export async function commentsToSend(
  { store }: Pick<ReviewsDeps, "store">,
  rootID: string,
  { posting, commentIDs }: { posting: Posting; commentIDs: readonly string[] },
): Promise<Pick<CommentsToSend, "notified" | "before">> {
  const tree = await store.review.tree(rootID)
  // For a draft that is already posted, its comment is sent.
  const ids = new Set([...commentIDs, ...posting.draftIDs.filter((id) => !posting.comments.some((it) => it.id === id))])
  const threads = new Map(tree.threads.map((thread) => [thread.id, thread]))
  const there = tree.comments.filter(({ id }) => ids.has(id))
  const missing = [...ids].find((id) => !there.some((comment) => comment.id === id))
  if (missing !== undefined) throw new DocketError("comment_not_found", `There is no comment ${missing}.`)
  const notified = there.flatMap((comment) => {
    const thread = threads.get(comment.threadID)
    return thread === undefined ? [] : [{ thread, comment }]
  })
  return { notified: [...notified, ...posting.notified], before: postingMutations(posting) }
}
