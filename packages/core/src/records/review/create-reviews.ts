import { DocketError } from "../../ground/error/docket-error.ts"
import { standingVerdicts } from "../../ground/message/review-status.ts"
import type {
  Caller,
  ReviewComment,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Task,
  TaskSummary,
} from "../../ground/schema/index.ts"
import { type Mutation, taskSummary } from "../../ground/store/index.ts"
import { boundedText } from "./comment-text.ts"
import { type CommentInThread, type CommentsToSend, commentsToSend, createDrafts, postingMutations } from "./drafts.ts"
import { reviewNotice, reviewText } from "./review-messages.ts"
import type { ReviewService, UnjudgedTask } from "./review-service.ts"
import { reviewedState, reviewOverview } from "./reviewed-state.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"
import { createThreads, prepareReply, prepareThread } from "./threads.ts"

/** Tasks in a page of the inbox: by default, and at most. */
const inboxSize = { default: 50, max: 200 }

/** The reviews of one user; `send` delivers comments to an agent. */
export function createReviews(
  deps: ReviewsDeps & { send(by: Caller, sent: CommentsToSend): Promise<void> },
  by: Caller,
): ReviewService {
  const { preparePosting, removePosted, ...drafts } = createDrafts(deps, by)
  const put = async (said: CommentInThread, threads: ReviewThread[]) => {
    const { rootID } = said.thread
    const notes = await notesForParents(deps, rootID, { notified: [said] })
    await write(deps, rootID, [...postingMutations({ threads, comments: [said.comment] }), ...notes])
  }
  return {
    ...drafts,
    ...createThreads(deps, by),
    ...createVerdicts(deps, by),
    overview: async (sessionID) => reviewOverview(deps, (await deps.sessionByID(sessionID)).rootID, by.person),
    awaiting: async () => titled(deps, (await deps.store.task.held()).map(taskSummary)),
    inbox: ({ limit, cursor }) => inbox(deps, by, { limit, cursor }),
    async createThread(sessionID, place, text) {
      const prepared = await prepareThread(deps, by, sessionID, place, text)
      await put(prepared, [prepared.thread])
      return { thread: prepared.thread, comments: [prepared.comment], anchor: { state: "there" } }
    },
    async reply(threadID, text) {
      const prepared = await prepareReply(deps, by, threadID, text)
      await put(prepared, [])
      return prepared.comment
    },
    async postDrafts(sessionID, draftIDs) {
      const { rootID } = await deps.sessionByID(sessionID)
      const posting = await preparePosting(rootID, draftIDs)
      if (posting.notified.length > 0) {
        const notes = await notesForParents(deps, rootID, posting)
        await write(deps, rootID, [...postingMutations(posting), ...notes])
      }
      await removePosted(posting)
      return posting.comments
    },
    async send({ sessionID, to, draftIDs = [], commentIDs = [] }, id) {
      const { rootID } = await deps.sessionByID(sessionID)
      const posting = await preparePosting(rootID, draftIDs)
      const sent = await commentsToSend(deps, rootID, { posting, commentIDs })
      await deps.send(by, { to, id, ...sent })
      await removePosted(posting)
      const { comments } = await deps.store.review.tree(rootID)
      return comments.filter(({ id }) => sent.notified.some(({ comment }) => comment.id === id))
    },
  }
}

async function inbox(
  { store }: Pick<ReviewsDeps, "store">,
  { person }: Caller,
  { limit, cursor }: Parameters<ReviewService["inbox"]>[0],
): ReturnType<ReviewService["inbox"]> {
  const size = Math.min(limit ?? inboxSize.default, inboxSize.max)
  const page = await store.review.unjudged({ person, limit: size, cursor })
  return { items: await titled({ store }, page.items), cursor: page.cursor }
}

/** Tasks with the title of their root session. */
async function titled({ store }: Pick<ReviewsDeps, "store">, tasks: TaskSummary[]): Promise<UnjudgedTask[]> {
  const roots = await store.session.listed([...new Set(tasks.map(({ rootID }) => rootID))])
  const titles = new Map(roots.map(({ session }) => [session.id, session.title]))
  return tasks.map((task) => ({ task, title: titles.get(task.rootID) ?? "" }))
}

type Verdicts = Pick<ReviewService, "giveVerdict" | "withdrawVerdict" | "verdicts" | "setViewed">

/** The verdicts of users, and which tasks they have looked at. */
function createVerdicts(deps: ReviewsDeps, by: Caller): Verdicts {
  const { store, journal, createID, clock } = deps
  const taskByID = async (id: string): Promise<Task> => {
    const task = await store.task.get(id)
    if (task === null) throw new DocketError("task_not_found", `There is no task ${id}.`)
    return task
  }
  const given = async ({ id, rootID }: Task): Promise<ReviewVerdict[]> =>
    (await store.review.tree(rootID)).verdicts.filter(({ taskID }) => taskID === id)
  /** Stores verdicts and notifies the delegating agent of `last`. */
  const put = async (task: Task, verdicts: ReviewVerdict[], last: ReviewVerdict) => {
    const mutations = verdicts.map((value): Mutation => ({ kind: "verdict", value }))
    // For a task that waits for approval, its end is the notice.
    const notes = task.state === "awaiting_review" ? [] : await notesOf(task, last)
    await write(deps, task.rootID, [...mutations, ...notes])
  }
  /** Replaces unread notices of the same person's earlier verdicts. */
  const notesOf = async (task: Task, last: ReviewVerdict): Promise<Mutation[]> => {
    const own = (await given(task)).filter((it) => it.by.person === by.person).map(({ id }) => id)
    const unread = (await store.session.get(task.parentID))?.notes ?? []
    const ids = unread.flatMap(({ id, verdictID }) => (verdictID && own.includes(verdictID) ? [id] : []))
    // A withdrawal is no news for an agent that has read none of the person's verdicts.
    const isNews = last.time.withdrawn === null || own.length > ids.length
    return [
      ...(ids.length === 0 ? [] : [{ kind: "session.notes.read", sessionID: task.parentID, ids } as const]),
      ...(isNews ? await notesForParents(deps, task.rootID, { verdicts: [last] }) : []),
    ]
  }
  const placeOf = ({ id, rootID, sessionID }: Task) => ({ rootID, sessionID, taskID: id, by })
  return {
    async giveVerdict(taskID, verdict, reason, seen) {
      const said = boundedText(reason.trim(), "reason")
      const task = await taskByID(taskID)
      const on = await reviewedState(deps, task, seen)
      const time = { created: clock(), withdrawn: null }
      const value: ReviewVerdict = {
        id: createID("reviewVerdict"),
        ...placeOf(task),
        verdict,
        reason: said,
        on,
        time,
      }
      await put(task, [value], value)
      return value
    },
    async withdrawVerdict(taskID) {
      const task = await taskByID(taskID)
      const own = (await given(task)).filter((it) => it.by.person === by.person && it.time.withdrawn === null)
      const [standing] = standingVerdicts(own)
      if (standing === undefined) {
        throw new DocketError("verdict_not_found", `You have given no verdict on task #${task.number} that stands.`)
      }
      // Withdraws earlier verdicts too, so that none of them becomes valid again.
      const withdrawn = own.map((it): ReviewVerdict => ({ ...it, time: { ...it.time, withdrawn: clock() } }))
      const last = withdrawn.find(({ id }) => id === standing.id) ?? standing
      await put(task, withdrawn, last)
      return last
    },
    verdicts: async (taskID) => given(await taskByID(taskID)),
    async setViewed(taskID, isViewed, seen) {
      const task = await taskByID(taskID)
      const { viewed } = await store.review.tree(task.rootID)
      const before = viewed.find((look) => look.taskID === taskID && look.by.person === by.person)
      const value: ReviewViewed = {
        id: before?.id ?? createID("reviewViewed"),
        ...placeOf(task),
        on: isViewed ? await reviewedState(deps, task, seen) : null,
        time: { viewed: clock() },
      }
      await journal.commit(task.rootID, [{ kind: "viewed", value }])
      return value
    },
  }
}

interface NewReviews {
  /** A note has one verdict at most, so that a newer one can replace it. */
  verdicts?: readonly [] | readonly [ReviewVerdict]
  notified?: readonly { thread: ReviewThread; comment: ReviewComment }[]
}

/**
 * A note for each delegating agent about reviews of its tasks. The agent reads it before its next step; the note does not
 * start a step.
 */
async function notesForParents(
  { store, createID }: Pick<ReviewsDeps, "store" | "createID">,
  rootID: string,
  { verdicts = [], notified = [] }: NewReviews,
): Promise<Mutation[]> {
  const taskIDs = new Set([...verdicts.map(({ taskID }) => taskID), ...notified.map(({ thread }) => thread.taskID)])
  const tasks = (await store.task.tree(rootID)).filter(({ id }) => taskIDs.has(id))
  const byParent = Map.groupBy(tasks, ({ parentID }) => parentID)
  return [...byParent].map(([parentID, own]): Mutation => {
    const taskOf = (id: string | null) => own.find((task) => task.id === id) ?? null
    const notice = reviewNotice({
      sendingID: null,
      verdicts: verdicts.filter(({ taskID }) => taskOf(taskID) !== null),
      comments: notified.filter(({ thread }) => taskOf(thread.taskID) !== null),
      taskOf,
    })
    const [verdict] = verdicts
    const about = verdict && { verdictID: verdict.id }
    const value = { id: createID("part"), text: reviewText(notice), notice, quiet: true, ...about } as const
    return { kind: "session.note", sessionID: parentID, value }
  })
}

/** Stores reviews together with their notes, and notifies running agents. */
async function write(
  { journal, notesChanged }: Pick<ReviewsDeps, "journal" | "notesChanged">,
  rootID: string,
  mutations: Mutation[],
): Promise<void> {
  const changes = await journal.commit(rootID, mutations)
  const notes = new Set(
    mutations.flatMap((it) => (it.kind === "session.note" || it.kind === "session.notes.read" ? [it.sessionID] : [])),
  )
  const sessions = changes.flatMap((change) => (change.kind === "session" ? [change.value] : []))
  for (const id of notes) {
    const session = sessions.findLast((candidate) => candidate.id === id)
    if (session !== undefined) notesChanged(session)
  }
}
