import type { ShareInfo } from "../ground/schema/index.ts"
import type { UseCases } from "./runtime.ts"
import type { Sight } from "./sight.ts"
import { visiblePage } from "./visible-pages.ts"

/** Tasks of a page of the inbox when nobody says how many. */
const usualTasks = 50

/** What is said of trees and shown of them, as far as the caller sees them. Each use case is named: a new one does not compile here. */
export function visibleReviews(of: UseCases, sight: Sight): Pick<UseCases, "review" | "share"> {
  const { review, share } = of
  const checked =
    (kind: "session" | "task" | "thread" | "comment" | "draft" | "share") =>
    async <T>(id: string | undefined, work: () => Promise<T>): Promise<T> => {
      if (id !== undefined) await sight.check(kind, id)
      return work()
    }
  const [inSession, ofTask, inThread] = [checked("session"), checked("task"), checked("thread")]
  const [ofComment, ofDraft, ofShare] = [checked("comment"), checked("draft"), checked("share")]
  return {
    review: {
      overview: (sessionID) => inSession(sessionID, () => review.overview(sessionID)),
      threads: (sessionID, options) => inSession(sessionID, () => review.threads(sessionID, options)),
      async awaiting() {
        const trees = await sight.hidden()
        return (await review.awaiting()).filter(({ task }) => !trees.has(task.rootID))
      },
      inbox: ({ limit = usualTasks, cursor }) =>
        visiblePage(
          sight,
          { limit, cursor: cursor ?? null },
          {
            read: (size, from) => review.inbox({ limit: size, cursor: from }),
            rootOf: ({ task }) => task.rootID,
          },
        ),
      createThread: (sessionID, place, text) => inSession(sessionID, () => review.createThread(sessionID, place, text)),
      reply: (threadID, text) => inThread(threadID, () => review.reply(threadID, text)),
      editComment: (id, text) => ofComment(id, () => review.editComment(id, text)),
      deleteComment: (id) => ofComment(id, () => review.deleteComment(id)),
      resolve: (threadID, resolved) => inThread(threadID, () => review.resolve(threadID, resolved)),
      async saveDraft(draft) {
        const { draftID, place } = draft
        const save = () => review.saveDraft(draft)
        if (draftID !== undefined) return ofDraft(draftID, save)
        if (place === undefined) return save()
        return "threadID" in place ? inThread(place.threadID, save) : inSession(place.sessionID, save)
      },
      drafts: (sessionID) => inSession(sessionID, () => review.drafts(sessionID)),
      discardDraft: (id) => ofDraft(id, () => review.discardDraft(id)),
      postDrafts: (sessionID, ids) => inSession(sessionID, () => review.postDrafts(sessionID, ids)),
      send: (sending, id) => inSession(sending.sessionID, () => review.send(sending, id)),
      giveVerdict: (taskID, ...verdict) => ofTask(taskID, () => review.giveVerdict(taskID, ...verdict)),
      withdrawVerdict: (taskID) => ofTask(taskID, () => review.withdrawVerdict(taskID)),
      verdicts: (taskID) => ofTask(taskID, () => review.verdicts(taskID)),
      setViewed: (taskID, ...viewed) => ofTask(taskID, () => review.setViewed(taskID, ...viewed)),
    },
    share: {
      preview: (rootID, query) => inSession(rootID, () => ofShare(query?.shareID, () => share.preview(rootID, query))),
      create: (rootID, choice) => inSession(rootID, () => share.create(rootID, choice)),
      get: (id) => ofShare(id, () => share.get(id)),
      update: (id, patch) => ofShare(id, () => share.update(id, patch)),
      async list(rootID) {
        const trees = await sight.hidden()
        const listed = await inSession(rootID, () => share.list(rootID))
        return listed.filter((one) => !trees.has(one.rootID))
      },
      relink: (id) => ofShare(id, () => share.relink(id)),
      revoke: (id) => ofShare(id, () => share.revoke(id)),
      async revokeAll(rootID, madeBy) {
        const trees = await sight.hidden()
        if (rootID !== undefined || trees.isEmpty) return inSession(rootID, () => share.revokeAll(rootID, madeBy))
        const isMeant = ({ by, time }: ShareInfo) =>
          time.revoked === null && (madeBy === undefined || by?.person === madeBy)
        const seen = (await share.list()).filter((one) => isMeant(one) && !trees.has(one.rootID))
        return Promise.all(seen.map(({ id }) => share.revoke(id)))
      },
      // Whoever has a link sees its copy, whoever they are.
      resolve: share.resolve,
      unlock: share.unlock,
      ended: share.ended,
      copy: share.copy,
    },
  }
}
