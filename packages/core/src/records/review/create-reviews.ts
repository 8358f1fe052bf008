import type { Caller, ReviewThread, TaskSummary } from "../../ground/schema/index.ts"
import { taskSummary } from "../../ground/store/index.ts"
import { type CommentsToSend, commentsToSend } from "./comments-to-send.ts"
import { createDrafts, type NotifiedComment, postingMutations } from "./drafts.ts"
import type { ReviewService, UnjudgedTask } from "./review-service.ts"
import { reviewOverview } from "./reviewed-state.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"
import { begunReply, begunThread, createThreads } from "./threads.ts"
import { createVerdicts, notesForParents, write } from "./verdicts.ts"

/** Tasks in a page of the inbox: by default, and at most. */
const inboxSize = { default: 50, max: 200 }

/** What one person says of the work of agents; `send` brings comments to an agent. */
export function createReviews(
  deps: ReviewsDeps & { send(by: Caller, sent: CommentsToSend): Promise<void> },
  by: Caller,
): ReviewService {
  const { posting: postingOf, posted, ...drafts } = createDrafts(deps, by)
  const put = async (said: NotifiedComment, threads: ReviewThread[]) => {
    const { rootID } = said.thread
    const notes = await notesForParents(deps, rootID, { told: [said] })
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
      const begun = await begunThread(deps, by, sessionID, place, text)
      await put(begun, [begun.thread])
      return { thread: begun.thread, comments: [begun.comment], anchor: { state: "there" } }
    },
    async reply(threadID, text) {
      const begun = await begunReply(deps, by, threadID, text)
      await put(begun, [])
      return begun.comment
    },
    async postDrafts(sessionID, draftIDs) {
      const { rootID } = await deps.sessionByID(sessionID)
      const posting = await postingOf(rootID, draftIDs)
      if (posting.told.length > 0) {
        const notes = await notesForParents(deps, rootID, posting)
        await write(deps, rootID, [...postingMutations(posting), ...notes])
      }
      await posted(posting)
      return posting.comments
    },
    async send({ sessionID, to, draftIDs = [], commentIDs = [] }, id) {
      const { rootID } = await deps.sessionByID(sessionID)
      const posting = await postingOf(rootID, draftIDs)
      const sent = await commentsToSend(deps, rootID, { posting, commentIDs })
      await deps.send(by, { to, id, ...sent })
      await posted(posting)
      const { comments } = await deps.store.review.tree(rootID)
      return comments.filter(({ id }) => sent.told.some(({ comment }) => comment.id === id))
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

/** Tasks with the titles of their trees. */
async function titled({ store }: Pick<ReviewsDeps, "store">, tasks: TaskSummary[]): Promise<UnjudgedTask[]> {
  const roots = await store.session.listed([...new Set(tasks.map(({ rootID }) => rootID))])
  const titles = new Map(roots.map(({ session }) => [session.id, session.title]))
  return tasks.map((task) => ({ task, title: titles.get(task.rootID) ?? "" }))
}
