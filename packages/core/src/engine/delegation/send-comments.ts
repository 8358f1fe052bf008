import { DocketError } from "../../ground/error/docket-error.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { Caller, PromptPart, ReviewSending, Session, Task, TaskSummary } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { CommentInThread, CommentsToSend } from "../../records/review/drafts.ts"
import { type ReviewNotice, reviewNotice, reviewText } from "../../records/review/review-messages.ts"
import type { ResumePrompt } from "./delegate-for-person.ts"
import type { SubmitOptions } from "./live-tasks.ts"
import type { Tasks } from "./tasks.ts"

export interface SendCommentsDeps {
  store: Pick<Store, "review" | "session" | "task" | "turn">
  tasks: Pick<Tasks, "note">
  createID: CreateId
  clock: () => number
  /** Queues a prompt; `mutations` commit together with its turn. */
  submit(session: Session, parts: PromptPart[], options: SubmitOptions): Promise<unknown>
  /** Resumes the child of an ended task, in the background. */
  resume(task: Task, parent: Session, prompt: ResumePrompt): Promise<Task>
  sessionByID(id: string): Promise<Session>
}

/**
 * Sends comments to the agent of their session or to the agent above it, as one message that quotes each anchor. The
 * comments are marked as sent in the same commit, so that a crash leaves both or neither. A repeated sending is
 * ignored.
 * @throws invalid_input, comment_sent
 */
export async function sendComments(deps: SendCommentsDeps, by: Caller, toSend: CommentsToSend): Promise<void> {
  const { notified: comments } = toSend
  const [first] = comments
  if (first === undefined) throw new DocketError("invalid_input", "Choose the comments to send.")
  const isRepeated = comments.every(({ comment }) => comment.sent !== null && comment.sent.id === toSend.id)
  if (isRepeated) return
  const sessionIDs = new Set(comments.map(({ thread }) => thread.sessionID))
  if (sessionIDs.size > 1) {
    throw new DocketError("invalid_input", "The comments are about several sessions. Send those of one at a time.")
  }
  const session = await deps.sessionByID(first.thread.sessionID)
  const target = toSend.to === "child" ? session : await parentOf(deps, session)
  const tasks = await deps.store.task.tree(session.rootID)
  const message = messageOf(comments, {
    id: toSend.id ?? deps.createID("part"),
    tasks,
    isOwn: target.id === session.id,
  })
  const sending: ReviewSending = {
    id: message.sendingID,
    to: toSend.to,
    sessionID: target.id,
    messageID: null,
    by,
    at: deps.clock(),
  }
  await deliver(deps, target, {
    ...message,
    by,
    mutations: [...toSend.before, ...(await sentMutations(deps, toSend, sending))],
  })
}

interface Delivery {
  by: Caller
  text: string
  notice: ReviewNotice
  mutations: Mutation[]
}

/** Sends a prompt to a root, a message to a working child, and another task to a child that has ended. */
async function deliver(deps: SendCommentsDeps, target: Session, delivery: Delivery): Promise<void> {
  const { by, text, notice, mutations } = delivery
  if (target.parentID === null) {
    const part: PromptPart = { type: "text", text, synthetic: true, notice }
    await deps.submit(target, [part], { agent: target.agent, model: target.model, cause: by, mutations })
    return
  }
  const task = await deps.store.task.byChild(target.id)
  if (task === null) throw new DocketError("task_not_found", "No task ever worked in this session.")
  if (await tryToNote(deps, task, delivery)) return
  const parent = await deps.sessionByID(task.parentID)
  try {
    await deps.resume(task, parent, { by, prompt: text, notice, more: mutations })
  } catch (error) {
    // Another sending may have resumed the child meanwhile: then it reads this message too.
    const working = await deps.store.task.byChild(target.id)
    if (working === null || !(await tryToNote(deps, working, delivery))) throw error
  }
}

/** Adds the message when the task works, so that its agent reads it before its next step; false otherwise. */
async function tryToNote(deps: SendCommentsDeps, task: Task, { text, notice, mutations }: Delivery): Promise<boolean> {
  return !isEnded(task) && deps.tasks.note(task.id, { text, notice }, mutations)
}

/** The session that reads for the parent. When the parent has ended too, it is the root: nobody else would read it. */
async function parentOf(deps: SendCommentsDeps, session: Session): Promise<Session> {
  if (session.parentID === null) return session
  const parent = await deps.sessionByID(session.parentID)
  const task = await deps.store.task.byChild(parent.id)
  return task === null || !isEnded(task) ? parent : deps.sessionByID(parent.rootID)
}

function messageOf(
  comments: readonly CommentInThread[],
  { id: sendingID, tasks, isOwn }: { id: string; tasks: readonly TaskSummary[]; isOwn: boolean },
): { sendingID: string; text: string; notice: ReviewNotice } {
  const taskOf = (id: string | null) => (isOwn ? null : (tasks.find((task) => task.id === id) ?? null))
  const notice = reviewNotice({ sendingID, comments, taskOf })
  return { sendingID, text: reviewText(notice), notice }
}

/** Marks each comment as sent. When an earlier sending was lost, the new mark replaces its mark. */
async function sentMutations(
  deps: SendCommentsDeps,
  { notified: comments }: CommentsToSend,
  sending: ReviewSending,
): Promise<Mutation[]> {
  const isUnderWay = await sendingsUnderWay(deps, comments)
  return comments.map(({ comment }): Mutation => {
    const before = comment.sent
    const instead = before !== null && before.messageID === null && !isUnderWay(before) ? before.id : null
    return { kind: "comment.change", commentID: comment.id, change: { kind: "sent", sent: sending, instead } }
  })
}

/**
 * Whether an unread sending is still on its way: in a queued prompt, in the notes of a session, or with an open task.
 * Otherwise its prompt, note or task was stopped before an agent read it, and the comments may be sent again.
 */
async function sendingsUnderWay(
  { store }: SendCommentsDeps,
  comments: CommentsToSend["notified"],
): Promise<(sending: ReviewSending) => boolean> {
  const open = comments.flatMap(({ comment: { sent } }) => (sent !== null && sent.messageID === null ? [sent] : []))
  const rootID = comments[0]?.comment.rootID
  if (open.length === 0 || rootID === undefined) return () => false
  const [turns, tasks, sessions] = await Promise.all([
    store.turn.open({ rootID }),
    store.task.open(rootID),
    store.session.tree(rootID),
  ])
  const working = new Set(tasks.map(({ sessionID }) => sessionID))
  const notices = [
    ...turns.flatMap(({ input }) => input.parts.flatMap((part) => (part.type === "text" ? [part.notice] : []))),
    ...sessions.flatMap(({ notes = [] }) => notes.map(({ notice }) => notice)),
  ]
  const carried = new Set(notices.flatMap((notice) => (notice?.kind === "review" ? [notice.sendingID] : [])))
  return ({ id, sessionID }) => carried.has(id) || working.has(sessionID)
}
