import { z } from "zod"
import {
  PartID,
  ReviewComment,
  ReviewCommentID,
  ReviewPlace,
  ReviewThread,
  ReviewThreadID,
  ReviewVerdict,
  SessionID,
  TaskID,
  VerdictKind,
} from "../../ground/schema/index.ts"
import { notRecorded, records } from "./audit-rule.ts"
import { SessionInput, TaskInput } from "./input.ts"
import { mutation, query } from "./operation.ts"
import { invalid, missing } from "./refusals.ts"

const ThreadInput = z.object({ threadID: ReviewThreadID })
const CommentInput = z.object({ commentID: ReviewCommentID })
const DraftInput = z.object({ draftID: ReviewCommentID })
/** How many comments or drafts one call may name. */
const IDs = z.array(ReviewCommentID).max(500).optional()
/** Markdown. The service limits its length. */
const Text = z.object({ text: z.string() })

const aComment = notRecorded("a comment stands where it was said, with its author")
const aDraft = notRecorded("nobody but its author is told of a draft")

/** What routes of `/v1` share. */
const [session, thread, task] = [
  { schema: SessionID, called: "session" },
  { schema: ReviewThreadID, called: "thread" },
  { schema: TaskID, called: "task" },
]
const RestText = z.string().min(1).max(20_000)
const ThreadAnswer = z.object({
  thread: ReviewThread,
  comments: z.array(ReviewComment),
  anchor: z.object({ state: z.string() }),
})

const threads = {
  /** Threads of the tree with their comments, and where their anchors stand now. With `only`, those of this session. */
  list: query({
    input: SessionInput.extend({ only: z.boolean().optional() }),
    needs: "rows",
    run: ({ review }, { sessionID, only }) => review.threads(sessionID, { only }),
    rest: {
      method: "get",
      path: "/sessions/{id}/threads",
      operationID: "listThreads",
      summary: "Threads of the tree with their comments, oldest first.",
      item: session,
      status: 200,
      answer: { description: "the threads", schema: z.object({ threads: z.array(ThreadAnswer) }) },
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
      write: (threads) => ({ threads }),
    },
  }),

  /** Comments on a place of a session, in a new thread. */
  create: mutation({
    capability: "comment",
    audit: aComment,
    input: SessionInput.extend({ place: ReviewPlace, text: z.string() }),
    idempotent: "remembered",
    run: ({ review }, { sessionID, place, text }) => review.createThread(sessionID, place, text),
    rest: {
      method: "post",
      path: "/sessions/{id}/threads",
      operationID: "createThread",
      summary:
        "Comments on a place of a session. A request that is sent again under its `Idempotency-Key` comments once.",
      item: session,
      body: z.object({ place: ReviewPlace, text: RestText }),
      status: 201,
      answer: { description: "the thread", schema: ThreadAnswer },
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
    },
  }),

  /** Answers in a thread. */
  reply: mutation({
    capability: "comment",
    audit: aComment,
    input: ThreadInput.extend(Text.shape),
    idempotent: "remembered",
    run: ({ review }, { threadID, text }) => review.reply(threadID, text),
    rest: {
      method: "post",
      path: "/threads/{id}/comments",
      operationID: "createComment",
      summary: "Answers in a thread.",
      item: thread,
      body: z.object({ text: RestText }),
      status: 201,
      answer: { description: "the comment", schema: ReviewComment },
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ threadID: id, ...body }),
    },
  }),

  /** Changes one of the caller's own comments. */
  edit: mutation({
    capability: "comment",
    audit: aComment,
    input: CommentInput.extend(Text.shape),
    run: ({ review }, { commentID, text }) => review.editComment(commentID, text),
  }),

  /** Removes the text of one of the caller's own comments. It stays visible that there was one. */
  delete: mutation({
    capability: "comment",
    audit: aComment,
    input: CommentInput,
    run: ({ review }, { commentID }) => review.deleteComment(commentID),
  }),

  /** Marks a thread as resolved. */
  resolve: mutation({
    capability: "comment",
    audit: aComment,
    input: ThreadInput,
    run: ({ review }, { threadID }) => review.resolve(threadID, true),
  }),

  /** Opens a resolved thread again. */
  reopen: mutation({
    capability: "comment",
    audit: aComment,
    input: ThreadInput,
    run: ({ review }, { threadID }) => review.resolve(threadID, false),
  }),
}

/** `since`: the draft's `time.updated` that its writer knows. */
const DraftText = Text.extend({ since: z.number().optional() })

const drafts = {
  /** The caller's own comments in the tree that are not posted. Nobody else sees them. */
  list: query({ input: SessionInput, run: ({ review }, { sessionID }) => review.drafts(sessionID) }),

  /**
   * Saves a draft: one that exists, or the caller's draft in a thread or at a place of a session. Answers with the
   * text that it replaced, if the caller did not know it.
   */
  save: mutation({
    capability: "comment",
    audit: aDraft,
    input: z.union([
      DraftInput.extend(DraftText.shape),
      ThreadInput.extend(DraftText.shape),
      SessionInput.extend({ place: ReviewPlace, ...DraftText.shape }),
    ]),
    idempotent: "remembered",
    needs: "rows",
    run({ review }, draft) {
      if ("draftID" in draft) return review.saveDraft(draft)
      const { text, since, ...place } = draft
      return review.saveDraft({ place, text, since })
    },
  }),

  /** Removes one of the caller's drafts. */
  discard: mutation({
    capability: "comment",
    audit: aDraft,
    input: DraftInput,
    needs: "rows",
    async run({ review }, { draftID }): Promise<null> {
      await review.discardDraft(draftID)
      return null
    },
  }),

  /** Posts these drafts of the tree together, or all of them. What is posted already is not posted again. */
  post: mutation({
    capability: "comment",
    audit: aComment,
    input: SessionInput.extend({ draftIDs: IDs }),
    run: ({ review }, { sessionID, draftIDs }) => review.postDrafts(sessionID, draftIDs),
  }),
}

/** The newest part of the child that the caller has seen. */
const Seen = z.object({ seen: PartID.optional() })

const verdicts = {
  /** Judges the task up to the part `seen`, or as it is now. */
  give: mutation({
    capability: "judge",
    audit: records("judged", { facts: ["verdict"] }),
    input: TaskInput.extend({ verdict: VerdictKind, reason: z.string().optional(), ...Seen.shape }),
    idempotent: "remembered",
    member: true,
    run: ({ review }, { taskID, verdict, reason = "", seen }) => review.giveVerdict(taskID, verdict, reason, seen),
    rest: {
      method: "post",
      path: "/tasks/{id}/verdicts",
      operationID: "giveVerdict",
      summary: "Judges the task, in place of the caller's verdict before.",
      item: task,
      body: z.object({
        verdict: VerdictKind,
        reason: z.string().max(20_000).default(""),
        seen: PartID.optional().describe("the last part that was looked at; what came after it is not judged"),
      }),
      status: 201,
      answer: { description: "the verdict", schema: ReviewVerdict },
      refusals: { ...invalid, ...missing },
      // Leaves out an empty reason: then route and procedure have the same input, and a key means the same request in
      // both.
      read: ({ id, body: { verdict, reason, ...more } }) => ({
        taskID: id,
        verdict,
        ...(reason !== "" && { reason }),
        ...more,
      }),
    },
  }),

  /** Takes the caller's own verdict back. */
  withdraw: mutation({
    capability: "judge",
    audit: records("judged", { results: ["verdict"] }),
    input: TaskInput,
    run: ({ review }, { taskID }) => review.withdrawVerdict(taskID),
    rest: {
      method: "delete",
      path: "/tasks/{id}/verdicts",
      operationID: "withdrawVerdict",
      summary: "Takes the caller's own back.",
      item: task,
      status: 200,
      answer: { description: "the verdict", schema: ReviewVerdict },
      refusals: missing,
      read: ({ id }) => ({ taskID: id }),
    },
  }),

  /** All verdicts on the task, oldest first. */
  history: query({
    input: TaskInput,
    needs: "rows",
    run: ({ review }, { taskID }) => review.verdicts(taskID),
    rest: {
      method: "get",
      path: "/tasks/{id}/verdicts",
      operationID: "listVerdicts",
      summary: "Every verdict on the task, oldest first, those that stand no more included.",
      item: task,
      status: 200,
      answer: { description: "the verdicts", schema: z.object({ verdicts: z.array(ReviewVerdict) }) },
      refusals: missing,
      read: ({ id }) => ({ taskID: id }),
      write: (verdicts) => ({ verdicts }),
    },
  }),
}

const viewed = {
  /**
   * Marks the task as viewed by the caller, up to the part `seen` or as it is now. `viewed: false` removes the mark.
   */
  set: mutation({
    capability: "judge",
    audit: notRecorded("what somebody has looked at is their own"),
    input: TaskInput.extend({ viewed: z.boolean(), ...Seen.shape }),
    run: ({ review }, { taskID, viewed, seen }) => review.setViewed(taskID, viewed, seen),
  }),
}

/** What people say of the work of agents. */
export const reviewOperations = {
  /** What people say of each task of the tree: verdicts, mark, how far the caller has looked, and counts of threads. */
  overview: query({
    input: SessionInput,
    needs: "rows",
    run: ({ review }, { sessionID }) => review.overview(sessionID),
  }),

  /** Tasks of all trees that end only when somebody approves them, oldest first. */
  awaiting: query({
    input: null,
    needs: "rows",
    run: ({ review }) => review.awaiting(),
    lists: ({ task }) => task.rootID,
  }),

  /** Tasks that have ended without a verdict of the caller, the last to end first, in pages. */
  inbox: query({
    input: z.object({ limit: z.number().int().min(1).max(200).optional(), cursor: z.string().optional() }),
    needs: "rows",
    run: ({ review }, page) => review.inbox(page),
    pages: { usual: 50, rootOf: ({ task }) => task.rootID },
  }),

  /** Sends comments and drafts of one session as one message, to its agent or to the agent that delegated to it. */
  send: mutation({
    capability: "prompt",
    audit: records("prompted", { facts: ["to"] }),
    input: SessionInput.extend({ to: z.enum(["child", "parent"]), commentIDs: IDs, draftIDs: IDs }),
    idempotent: { row: "part", finds: true },
    member: true,
    run: ({ review }, sending, { id }) => review.send(sending, id),
    rest: {
      method: "post",
      path: "/sessions/{id}/send",
      operationID: "sendComments",
      summary: "Sends comments of the session to its agent, or to the one that delegated to it, as one message.",
      item: session,
      body: z.object({ to: z.enum(["child", "parent"]), comments: z.array(z.string()).min(1).max(500) }),
      status: 200,
      answer: { description: "the comments, sent", schema: z.object({ comments: z.array(ReviewComment) }) },
      refusals: { ...invalid, ...missing, 409: "one of them was sent already" },
      read: ({ id, body: { to, comments } }) => ({ sessionID: id, to, commentIDs: comments }),
      write: (comments) => ({ comments }),
    },
  }),

  thread: threads,
  draft: drafts,
  verdict: verdicts,
  viewed,
}
