import { DocketError } from "../../ground/error/docket-error.ts"
import { type AnchorState, anchoredText, quoteOf, textAnchorState } from "../../ground/message/review-anchor.ts"
import type {
  Caller,
  Part,
  ReviewAnchor,
  ReviewComment,
  ReviewPlace,
  ReviewThread,
  Session,
} from "../../ground/schema/index.ts"
import type { Change, CommentChange } from "../../ground/store/index.ts"
import { commentText, mentionsOf } from "./comment-text.ts"
import { diffAnchorState, quoteOfDiff } from "./diff-lines.ts"
import type { ReviewService, ThreadView } from "./review-service.ts"
import type { DiffedFile, ReviewsDeps } from "./reviews-deps.ts"

type Threads = Pick<ReviewService, "threads" | "editComment" | "deleteComment" | "resolve">

/** Comment threads at places of a tree. */
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
      // If the comment was deleted meanwhile, report it, because the new text would be lost silently.
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

/** A new thread with its first comment, not stored yet. @throws as `placeAnchor`, and for the text */
export async function prepareThread(
  deps: ReviewsDeps,
  by: Caller,
  sessionID: string,
  place: ReviewPlace,
  text: string,
): Promise<{ thread: ReviewThread; comment: ReviewComment }> {
  const session = await deps.sessionByID(sessionID)
  const placed = await placeAnchor(deps, session, place)
  const now = deps.clock()
  const owner = { rootID: session.rootID, sessionID, threadID: deps.createID("reviewThread"), by }
  return {
    thread: newThread(owner, placed, now),
    comment: newComment(deps.createID("reviewComment"), owner, text, now),
  }
}

/** A reply, not stored yet. */
export async function prepareReply(
  deps: ReviewsDeps,
  by: Caller,
  threadID: string,
  text: string,
): Promise<{ thread: ReviewThread; comment: ReviewComment }> {
  const thread = await threadByID(deps, threadID)
  const { rootID, sessionID } = thread
  const owner = { rootID, sessionID, threadID, by }
  return { thread, comment: newComment(deps.createID("reviewComment"), owner, text, deps.clock()) }
}

const gone: AnchorState = { state: "gone" }

async function threadViews(deps: ReviewsDeps, sessionID: string, onlyThisSession: boolean): Promise<ThreadView[]> {
  const { rootID } = await deps.sessionByID(sessionID)
  const tree = await deps.store.review.tree(rootID)
  const threads = onlyThisSession ? tree.threads.filter((thread) => thread.sessionID === sessionID) : tree.threads
  const comments = Map.groupBy(tree.comments, ({ threadID }) => threadID)
  const states = await anchorStates(deps, rootID, threads)
  return threads.map((thread) => ({
    thread,
    comments: comments.get(thread.id) ?? [],
    anchor: states.get(thread.id) ?? gone,
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

/** The comment after the commit. */
function changedIn(changes: readonly Change[], commentID: string): ReviewComment | null {
  const change = changes.findLast((change) => change.kind === "comment" && change.value.id === commentID)
  return change?.kind === "comment" ? change.value : null
}

/** The current places of anchors, by thread. Reads the sessions, the named rows and each diff once. */
export async function anchorStates(
  { store, patchesOf }: Pick<ReviewsDeps, "store" | "patchesOf">,
  rootID: string,
  threads: readonly ReviewThread[],
): Promise<Map<string, AnchorState>> {
  const anchors = threads.map(({ anchor }) => anchor)
  const files = diffedFiles(anchors)
  const [sessions, { messages, parts }, patches] = await Promise.all([
    store.session.tree(rootID),
    store.transcript.named({
      messageIDs: anchors.flatMap((anchor) => (anchor.kind === "message" ? [anchor.messageID] : [])),
      partIDs: anchors.flatMap((anchor) => (anchor.kind === "part" || anchor.kind === "text" ? [anchor.partID] : [])),
    }),
    patchesOf(rootID, [...files.values()]),
  ])
  // `patchesOf` answers in the order of the files that it was asked for.
  const patchesOfFile = new Map([...files.keys()].map((key, index) => [key, patches[index] ?? []]))
  // An id of another tree is treated as unknown, so that nothing about that tree is revealed.
  const ids = new Set(sessions.map(({ id }) => id))
  const isOfTree = ({ sessionID }: { sessionID: string }) => ids.has(sessionID)
  const known = {
    isUndone: undoneIn(sessions),
    messages: new Set(messages.filter(isOfTree).map(({ id }) => id)),
    parts: new Map(parts.filter(isOfTree).map((part) => [part.id, part])),
  }
  const stateOf = ({ sessionID, anchor }: ReviewThread): AnchorState => {
    if (anchor.kind === "session") return { state: "there" }
    if (anchor.kind === "diff") return diffAnchorState(patchesOfFile.get(fileKey(anchor)) ?? [], anchor)
    const isUndone = known.isUndone(sessionID, anchor.messageID)
    if (anchor.kind === "message") return isUndone || !known.messages.has(anchor.messageID) ? gone : { state: "there" }
    const part = isUndone ? null : (known.parts.get(anchor.partID) ?? null)
    if (anchor.kind === "text") return textAnchorState(anchor, part)
    return part === null ? gone : { state: "there" }
  }
  return new Map(threads.map((thread) => [thread.id, stateOf(thread)]))
}

/** The files in whose diffs there are anchors, each once. */
function diffedFiles(anchors: readonly ReviewAnchor[]): Map<string, DiffedFile> {
  return new Map(anchors.flatMap((anchor) => (anchor.kind === "diff" ? [[fileKey(anchor), anchor] as const] : [])))
}

function fileKey({ scope, path }: DiffedFile): string {
  return JSON.stringify([scope.kind === "task" ? scope.taskID : scope.promptID, path])
}

/** Whether a message is in the undone part of the conversation, or in a child that this part created. */
function undoneIn(sessions: readonly Session[]): (sessionID: string, messageID: string) => boolean {
  const reverts = new Map(sessions.flatMap(({ id, revert }) => (revert ? [[id, revert] as const] : [])))
  const children = new Set([...reverts.values()].flatMap((revert) => revert.children))
  return (sessionID, messageID) => {
    const from = reverts.get(sessionID)?.messageID
    return children.has(sessionID) || (from !== undefined && messageID >= from)
  }
}

/** The ids of the tree, session and thread of a new row, and who writes it. */
interface ThreadOwner {
  rootID: string
  sessionID: string
  threadID: string
  by: Caller
}

export function newThread({ threadID, ...owner }: ThreadOwner, placed: PlacedAnchor, now: number): ReviewThread {
  return { id: threadID, ...owner, ...placed, resolved: null, time: { created: now } }
}

/** @throws invalid_input when the text is empty or too long */
export function newComment(id: string, owner: ThreadOwner, text: string, now: number): ReviewComment {
  const said = commentText(text)
  const time = { created: now, edited: null, deleted: null }
  return { id, ...owner, text: said, mentions: mentionsOf(said), sent: null, answer: null, time }
}

type AnchorDeps = Pick<ReviewsDeps, "store" | "patchesOf">

/** A place in a session, with its text and task. */
interface PlacedAnchor {
  anchor: ReviewAnchor
  taskID: string | null
}

/** @throws message_not_found, task_not_found; invalid_input for a range that does not exist */
export async function placeAnchor(deps: AnchorDeps, session: Session, place: ReviewPlace): Promise<PlacedAnchor> {
  if (place.kind === "diff") return diffAnchor(deps, session, place)
  const taskID = (await deps.store.task.byChild(session.id))?.id ?? null
  switch (place.kind) {
    case "session":
      return { anchor: place, taskID }
    case "message":
      await requireMessageIn(deps, session, place.messageID)
      return { anchor: place, taskID }
    case "part":
      await partIn(deps, session, place)
      return { anchor: place, taskID }
    case "text":
      return { anchor: textAnchor(await partIn(deps, session, place), place), taskID }
    default:
      return place satisfies never
  }
}

/** @throws message_not_found when the session has no such message */
async function requireMessageIn({ store }: AnchorDeps, session: Session, messageID: string): Promise<void> {
  const { messages } = await store.transcript.named({ messageIDs: [messageID], partIDs: [] })
  if (messages[0]?.sessionID !== session.id) {
    throw new DocketError("message_not_found", `There is no message ${messageID} in this session.`)
  }
}

async function partIn(
  { store }: AnchorDeps,
  session: Session,
  { messageID, partID }: { messageID: string; partID: string },
): Promise<Part> {
  const part = await store.transcript.part(partID)
  if (part === null || part.sessionID !== session.id || part.messageID !== messageID) {
    throw new DocketError("message_not_found", `There is no part ${partID} in this message.`)
  }
  return part
}

function textAnchor(part: Part, place: Extract<ReviewPlace, { kind: "text" }>): ReviewAnchor {
  const text = anchoredText(part, place.of)
  if (text === null) {
    throw new DocketError("invalid_input", `The part has no ${place.of} to comment on. Comment on the part as a whole.`)
  }
  const { from, to } = place
  if (from >= to || to > text.length) {
    throw new DocketError(
      "invalid_input",
      `The range from ${from} to ${to} is not within the ${text.length} characters of the part's ${place.of}.`,
    )
  }
  return { ...place, ...quoteOf(text, place) }
}

async function diffAnchor(
  deps: AnchorDeps,
  session: Session,
  place: Extract<ReviewPlace, { kind: "diff" }>,
): Promise<PlacedAnchor> {
  const { scope } = place
  const taskID = scope.kind === "task" ? scope.taskID : null
  if (taskID !== null && (await deps.store.task.get(taskID))?.sessionID !== session.id) {
    throw new DocketError("task_not_found", `There is no task ${taskID} that this session worked for.`)
  }
  if (scope.kind === "turn") await requireMessageIn(deps, session, scope.promptID)
  const [patches = []] = await deps.patchesOf(session.rootID, [place])
  const quote = quoteOfDiff(patches, place)
  return { anchor: { ...place, quote }, taskID }
}
