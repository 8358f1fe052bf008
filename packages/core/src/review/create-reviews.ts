import type { Caller, ReviewComment, ReviewThread } from "../schema/index.ts"
import type { Mutation } from "../store/index.ts"
import { createDrafts, postingMutations } from "./drafts.ts"
import { reviewOverview } from "./overview.ts"
import type { ReviewService } from "./review-service.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"
import { begunReply, begunThread, createThreads } from "./threads.ts"
import { createVerdicts } from "./verdicts.ts"

/** Tasks of a page of the inbox when the caller does not say, and at most. */
const inboxSize = { default: 50, max: 200 }

/** What one person says of the work of agents. */
export function createReviews(deps: ReviewsDeps, by: Caller): ReviewService {
  const { journal } = deps
  const { posting: postingOf, posted, ...drafts } = createDrafts(deps, by)
  const put = async ({ thread, comment }: { thread: ReviewThread; comment: ReviewComment }, isNew: boolean) => {
    const mutations: Mutation[] = [...(isNew ? [{ kind: "thread", value: thread } as const] : [])]
    await journal.commit(thread.rootID, [...mutations, { kind: "comment", value: comment }])
  }
  return {
    ...drafts,
    ...createThreads(deps, by),
    ...createVerdicts(deps, by),
    overview: async (sessionID) => reviewOverview(deps, (await deps.sessionByID(sessionID)).rootID, by.person),
    inbox: ({ limit, cursor }) => inbox(deps, by, { limit, cursor }),
    async createThread(sessionID, place, text) {
      const begun = await begunThread(deps, by, sessionID, place, text)
      await put(begun, true)
      return { thread: begun.thread, comments: [begun.comment], anchor: { state: "there" } }
    },
    async reply(threadID, text) {
      const begun = await begunReply(deps, by, threadID, text)
      await put(begun, false)
      return begun.comment
    },
    async postDrafts(sessionID, draftIDs) {
      const { rootID } = await deps.sessionByID(sessionID)
      const posting = await postingOf(rootID, draftIDs)
      if (posting.comments.length > 0) await journal.commit(rootID, postingMutations(posting))
      await posted(posting)
      return posting.comments
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
  const roots = await store.session.listed([...new Set(page.items.map(({ rootID }) => rootID))])
  const titles = new Map(roots.map(({ session }) => [session.id, session.title]))
  return {
    items: page.items.map((task) => ({ task, title: titles.get(task.rootID) ?? "" })),
    cursor: page.cursor,
  }
}
