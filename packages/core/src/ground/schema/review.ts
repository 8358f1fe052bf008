import { z } from "zod"
import { Caller } from "./caller.ts"
import {
  MessageID,
  PartID,
  ReviewCommentID,
  ReviewThreadID,
  ReviewVerdictID,
  ReviewViewedID,
  SessionID,
  TaskID,
} from "./ids.ts"

/** A text of a part: its own text (also of reasoning), or the input or output of a tool call. */
export const AnchoredText = z.enum(["text", "input", "output"])
export type AnchoredText = z.infer<typeof AnchoredText>

/** The changes that a diff shows: those of a task, or those of one prompt of the root session. */
export const DiffScope = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("task"), taskID: TaskID }),
  z.object({ kind: z.literal("turn"), promptID: MessageID }),
])
export type DiffScope = z.infer<typeof DiffScope>

const Offset = z.number().int().nonnegative()
const Line = z.number().int().positive()

const wholeAnchors = [
  z.object({ kind: z.literal("session") }),
  z.object({ kind: z.literal("message"), messageID: MessageID }),
  z.object({ kind: z.literal("part"), messageID: MessageID, partID: PartID }),
] as const

/** From `from` up to, not including, `to`, in UTF-16 units. */
const TextPlace = z.object({
  kind: z.literal("text"),
  messageID: MessageID,
  partID: PartID,
  of: AnchoredText,
  from: Offset,
  to: Offset,
})

/** Lines of one side of a file's diff, `from` and `to` included, as the file counts them. */
const DiffPlace = z.object({
  kind: z.literal("diff"),
  scope: DiffScope,
  path: z.string().min(1).max(4_096),
  side: z.enum(["old", "new"]),
  from: Line,
  to: Line,
})

/** The place of a new comment, as a person selects it. */
export const ReviewPlace = z.discriminatedUnion("kind", [...wholeAnchors, TextPlace, DiffPlace])
export type ReviewPlace = z.infer<typeof ReviewPlace>

/**
 * A stored place, with the text that stood there, so that it can be read even after that text has changed. Long quotes
 * are cut.
 */
export const ReviewAnchor = z.discriminatedUnion("kind", [
  ...wholeAnchors,
  TextPlace.extend({ quote: z.string(), before: z.string(), after: z.string() }),
  DiffPlace.extend({ quote: z.string() }),
])
export type ReviewAnchor = z.infer<typeof ReviewAnchor>

/** A conversation of people about one place of a session. `taskID` is the task that the session worked on then. */
export const ReviewThread = z.object({
  id: ReviewThreadID,
  rootID: SessionID,
  sessionID: SessionID,
  taskID: TaskID.nullable(),
  anchor: ReviewAnchor,
  by: Caller,
  resolved: z.object({ by: Caller, at: z.number() }).nullable(),
  time: z.object({ created: z.number() }),
})
export type ReviewThread = z.infer<typeof ReviewThread>

/**
 * The sending of a comment to an agent. A comment is sent once, together with others; `id` is the id of that sending.
 * `messageID` is the message in which the agent read the comment, null until then.
 */
export const ReviewSending = z.object({
  id: z.string(),
  to: z.enum(["child", "parent"]),
  sessionID: SessionID,
  messageID: MessageID.nullable(),
  by: Caller,
  at: z.number(),
})
export type ReviewSending = z.infer<typeof ReviewSending>

/** A comment of a person in a thread, in Markdown. A deleted comment stays, without its text. */
export const ReviewComment = z.object({
  id: ReviewCommentID,
  rootID: SessionID,
  sessionID: SessionID,
  threadID: ReviewThreadID,
  by: Caller,
  text: z.string(),
  /** The names that follow an `@`, without the `@`. */
  mentions: z.array(z.string()),
  sent: ReviewSending.nullable(),
  /** The last message of the turn in which the agent read it. */
  answer: z.object({ messageID: MessageID }).nullable(),
  time: z.object({ created: z.number(), edited: z.number().nullable(), deleted: z.number().nullable() }),
})
export type ReviewComment = z.infer<typeof ReviewComment>

/**
 * A comment that its author has not posted; nobody else sees it. It already has the id of the later comment. With an
 * anchor it begins the thread `threadID`, without one it answers there.
 */
export const ReviewDraft = z.object({
  id: ReviewCommentID,
  rootID: SessionID,
  sessionID: SessionID,
  threadID: ReviewThreadID,
  taskID: TaskID.nullable(),
  anchor: ReviewAnchor.nullable(),
  by: Caller,
  text: z.string(),
  time: z.object({ created: z.number(), updated: z.number() }),
})
export type ReviewDraft = z.infer<typeof ReviewDraft>

/** The state of a task when a person saw or judged it. */
export const ReviewedState = z.object({
  /** The newest part of the child session; null before its first part. */
  last: z.object({ messageID: MessageID, partID: PartID }).nullable(),
  /**
   * The files that the task changed, by absolute path, and a digest of their content. Null when it changed no file that
   * others can change too.
   */
  files: z.object({ paths: z.array(z.string()), digest: z.string() }).nullable(),
})
export type ReviewedState = z.infer<typeof ReviewedState>

export const VerdictKind = z.enum(["approve", "needs_changes", "reject"])
export type VerdictKind = z.infer<typeof VerdictKind>

/**
 * A person's judgement of a task. The newest verdict of a person counts unless it is withdrawn; older ones are history.
 */
export const ReviewVerdict = z.object({
  id: ReviewVerdictID,
  rootID: SessionID,
  /** The child session. */
  sessionID: SessionID,
  taskID: TaskID,
  verdict: VerdictKind,
  reason: z.string(),
  by: Caller,
  /** The state that was judged: the verdict is stale once the task has another state. */
  on: ReviewedState,
  time: z.object({ created: z.number(), withdrawn: z.number().nullable() }),
})
export type ReviewVerdict = z.infer<typeof ReviewVerdict>

/** The state of a task that a person has looked at; `on` is null when they marked the task as not viewed. */
export const ReviewViewed = z.object({
  id: ReviewViewedID,
  rootID: SessionID,
  sessionID: SessionID,
  taskID: TaskID,
  by: Caller,
  on: ReviewedState.nullable(),
  time: z.object({ viewed: z.number() }),
})
export type ReviewViewed = z.infer<typeof ReviewViewed>
