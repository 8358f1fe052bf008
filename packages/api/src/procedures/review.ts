import type { ReviewOverview, ReviewService, SavedDraft, ThreadView, UnjudgedTask } from "@docket/core"
import {
  PartID,
  type ReviewComment,
  ReviewCommentID,
  type ReviewDraft,
  ReviewPlace,
  type ReviewThread,
  ReviewThreadID,
  type ReviewVerdict,
  type ReviewViewed,
  TaskID,
  VerdictKind,
} from "@docket/core/schema"
import { z } from "zod"
import { notRecorded, records } from "../audit/audit-rule.ts"
import { allowed, router } from "../trpc.ts"
import { SessionInput } from "./input.ts"

const ThreadInput = z.object({ threadID: ReviewThreadID })
const CommentInput = z.object({ commentID: ReviewCommentID })
const DraftInput = z.object({ draftID: ReviewCommentID })
/** Comments or drafts at once. */
const IDs = z.array(ReviewCommentID).max(500).optional()
const TaskInput = z.object({ taskID: TaskID })
/** Markdown. The service says how long it may be. */
const Text = z.object({ text: z.string() })

const threads = router({
  /** Threads of the tree, or of the session `only`, with their comments and where their anchors stand now. */
  list: allowed("read")
    .input(SessionInput.extend({ only: z.boolean().optional() }))
    .query(
      ({ ctx, input: { sessionID, only } }): Promise<ThreadView[]> => ctx.runtime.review.threads(sessionID, { only }),
    ),

  create: allowed("comment", notRecorded("a comment stands where it was said, with its author"))
    .input(SessionInput.extend({ place: ReviewPlace, text: z.string() }))
    .mutation(
      ({ ctx, input }): Promise<ThreadView> =>
        ctx.runtime.review.createThread(input.sessionID, input.place, input.text),
    ),

  reply: allowed("comment", notRecorded("a comment stands where it was said, with its author"))
    .input(ThreadInput.extend(Text.shape))
    .mutation(({ ctx, input }): Promise<ReviewComment> => ctx.runtime.review.reply(input.threadID, input.text)),

  /** Changes one's own comment. */
  edit: allowed("comment", notRecorded("a comment stands where it was said, with its author"))
    .input(CommentInput.extend(Text.shape))
    .mutation(({ ctx, input }): Promise<ReviewComment> => ctx.runtime.review.editComment(input.commentID, input.text)),

  /** Takes the text of one's own comment away; that there was one stays. */
  delete: allowed("comment", notRecorded("a comment stands where it was said, with its author"))
    .input(CommentInput)
    .mutation(({ ctx, input }): Promise<ReviewComment> => ctx.runtime.review.deleteComment(input.commentID)),

  resolve: allowed("comment", notRecorded("a comment stands where it was said, with its author"))
    .input(ThreadInput)
    .mutation(({ ctx, input }): Promise<ReviewThread> => ctx.runtime.review.resolve(input.threadID, true)),

  reopen: allowed("comment", notRecorded("a comment stands where it was said, with its author"))
    .input(ThreadInput)
    .mutation(({ ctx, input }): Promise<ReviewThread> => ctx.runtime.review.resolve(input.threadID, false)),
})

/** `since`: the `time.updated` of the draft as its writer knows it. */
const DraftText = Text.extend({ since: z.number().optional() })
const SaveInput = z.union([
  DraftInput.extend(DraftText.shape),
  ThreadInput.extend(DraftText.shape),
  SessionInput.extend({ place: ReviewPlace, ...DraftText.shape }),
])

const drafts = router({
  /** The caller's own comments that are not posted, of the tree. Nobody else is told of them. */
  list: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<ReviewDraft[]> => ctx.runtime.review.drafts(input.sessionID)),

  /**
   * Keeps what is being written: a draft that is there, or the caller's one in a thread or at a place of a session. Says
   * what it replaced when that was not known.
   */
  save: allowed("comment", notRecorded("nobody but its author is told of a draft"))
    .input(SaveInput)
    .mutation(({ ctx, input }): Promise<SavedDraft> => {
      if ("draftID" in input) return ctx.runtime.review.saveDraft(input)
      const { text, since, ...place } = input
      return ctx.runtime.review.saveDraft({ place, text, since })
    }),

  discard: allowed("comment", notRecorded("nobody but its author is told of a draft"))
    .input(DraftInput)
    .mutation(async ({ ctx, input }): Promise<null> => {
      await ctx.runtime.review.discardDraft(input.draftID)
      return null
    }),

  /** Posts these of the tree together, or all. What was posted already is not posted again. */
  post: allowed("comment", notRecorded("a comment stands where it was said, with its author"))
    .input(SessionInput.extend({ draftIDs: IDs }))
    .mutation(
      ({ ctx, input }): Promise<ReviewComment[]> => ctx.runtime.review.postDrafts(input.sessionID, input.draftIDs),
    ),
})

/** The newest part of the child that the caller has before them. */
const Seen = z.object({ seen: PartID.optional() })

const verdicts = router({
  /** Judges the task up to the part `seen`, or as it is now. */
  give: allowed("judge", records("judged", { facts: ["verdict"] }))
    .input(TaskInput.extend({ verdict: VerdictKind, reason: z.string().optional(), ...Seen.shape }))
    .mutation(
      ({ ctx, input: { taskID, verdict, reason = "", seen } }): Promise<ReviewVerdict> =>
        ctx.runtime.review.giveVerdict(taskID, verdict, reason, seen),
    ),

  withdraw: allowed("judge", records("judged", { results: ["verdict"] }))
    .input(TaskInput)
    .mutation(({ ctx, input }): Promise<ReviewVerdict> => ctx.runtime.review.withdrawVerdict(input.taskID)),

  /** All that were given on the task, oldest first. */
  history: allowed("read")
    .input(TaskInput)
    .query(({ ctx, input }): Promise<ReviewVerdict[]> => ctx.runtime.review.verdicts(input.taskID)),
})

const viewed = router({
  /** The caller has looked at the task, up to the part `seen` or as it is now; with `viewed: false` has not. */
  set: allowed("judge", notRecorded("what somebody has looked at is their own"))
    .input(TaskInput.extend({ viewed: z.boolean(), ...Seen.shape }))
    .mutation(
      ({ ctx, input: { taskID, viewed, seen } }): Promise<ReviewViewed> =>
        ctx.runtime.review.setViewed(taskID, viewed, seen),
    ),
})

const SendInput = SessionInput.extend({ to: z.enum(["child", "parent"]), commentIDs: IDs, draftIDs: IDs })

export const reviewRouter = router({
  /** What is said of each task of the tree: verdicts, mark, how far the caller has looked, counts of threads. */
  overview: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<ReviewOverview> => ctx.runtime.review.overview(input.sessionID)),

  /** Tasks of all trees that end only once somebody has approved them, oldest first. */
  awaiting: allowed("read").query(({ ctx }): Promise<UnjudgedTask[]> => ctx.runtime.review.awaiting()),

  /** Tasks that have ended without a verdict of the caller, the last to end first. */
  inbox: allowed("read")
    .input(z.object({ limit: z.number().int().min(1).max(200).optional(), cursor: z.string().optional() }))
    .query(({ ctx, input }): ReturnType<ReviewService["inbox"]> => ctx.runtime.review.inbox(input)),

  /** Sends comments and drafts of one session to its agent, or to the one that delegated to it, as one message. */
  send: allowed("prompt", records("prompted", { facts: ["to"] }))
    .input(SendInput)
    .mutation(({ ctx, input }): Promise<ReviewComment[]> => ctx.runtime.review.send(input)),

  thread: threads,
  draft: drafts,
  verdict: verdicts,
  viewed,
})
