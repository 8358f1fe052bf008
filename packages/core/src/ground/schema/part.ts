import { z } from "zod"
import { FileFacts } from "./attachment.ts"
import { MessageError } from "./error.ts"
import { MessageID, PartID, SessionID } from "./ids.ts"
import { ModelRef, TokenUsage } from "./model.ts"
import { Notice } from "./notice.ts"

const PartBase = z.object({ id: PartID, sessionID: SessionID, messageID: MessageID })

const StartEnd = z.object({ start: z.number(), end: z.number().nullable() })
/** Provider data that must go back unchanged with the part (reasoning signatures, encrypted content). */
const ProviderMetadata = z.record(z.string(), z.record(z.string(), z.unknown()))

export const TextPart = PartBase.extend({
  type: z.literal("text"),
  text: z.string(),
  /** Added for the model to read: nobody typed it, and no model said it. */
  synthetic: z.boolean().optional(),
  /** Who added it; left out for Docket itself. Callers cannot choose it. */
  addedBy: z.literal("client").optional(),
  /** What Docket says in it, as data. Rows of older versions have the text alone: see `noticeOf`. */
  notice: Notice.optional(),
  /** The name of the command that it comes of: it holds what that put out. */
  command: z.string().optional(),
  time: StartEnd.optional(),
  providerMetadata: ProviderMetadata.optional(),
})

export const ReasoningPart = PartBase.extend({
  type: z.literal("reasoning"),
  text: z.string(),
  time: StartEnd,
  providerMetadata: ProviderMetadata.optional(),
})

/** What the model sent as arguments. Not always an object: bad JSON is kept as a string for the error. */
const ToolInput = z.unknown()
const ToolMetadata = z.record(z.string(), z.unknown())

/** A file that a tool returned beside its text, for the model to read. */
export const ToolAttachment = FileFacts.extend({
  mime: z.string(),
  /** `attachmentAddress` of a kept content; in rows of older versions `data:` with the content in base64. */
  url: z.string(),
  filename: z.string().optional(),
})
export type ToolAttachment = z.infer<typeof ToolAttachment>

export const ToolState = z.discriminatedUnion("status", [
  /** Arguments are still streaming; `raw` is the JSON text so far. */
  z.object({ status: z.literal("pending"), input: ToolInput, raw: z.string() }),
  z.object({
    status: z.literal("running"),
    input: ToolInput,
    title: z.string().optional(),
    metadata: ToolMetadata,
    time: z.object({ start: z.number() }),
  }),
  z.object({
    status: z.literal("completed"),
    input: ToolInput,
    output: z.string(),
    attachments: z.array(ToolAttachment).optional(),
    title: z.string(),
    metadata: ToolMetadata,
    time: z.object({ start: z.number(), end: z.number(), compacted: z.number().optional() }),
  }),
  z.object({
    status: z.literal("error"),
    input: ToolInput,
    error: z.string(),
    title: z.string().optional(),
    metadata: ToolMetadata,
    time: z.object({ start: z.number(), end: z.number(), compacted: z.number().optional() }),
  }),
])
export type ToolState = z.infer<typeof ToolState>

/** `state.metadata` is what the UI draws: `todos`, `diff`, live `output`, or a task's `sessionId` and `summary`. */
export const ToolPart = PartBase.extend({
  type: z.literal("tool"),
  callID: z.string(),
  /** The part of the batch to which the call belongs: the model reads its result in that of the batch. */
  batchID: PartID.optional(),
  tool: z.string(),
  state: ToolState,
  providerMetadata: ProviderMetadata.optional(),
})

/** A file of a prompt, or one that a model made. */
export const FilePart = PartBase.extend({
  ...FileFacts.shape,
  type: z.literal("file"),
  mime: z.string(),
  /**
   * `file://…`, `attachmentAddress` of a kept content, a `data:` URL of a short text or of an older version, or an
   * `http(s)` address that the model's provider fetches.
   */
  url: z.string(),
  filename: z.string().optional(),
  /** Why the content behind an address is not there, in words for people and models. */
  problem: z.string().optional(),
  providerMetadata: ProviderMetadata.optional(),
})

/** `snapshot` is of the files before the step's tools: of `files` alone where these are named. */
export const StepStartPart = PartBase.extend({
  type: z.literal("step-start"),
  snapshot: z.string().optional(),
  files: z.array(z.string()).optional(),
})

export const StepFinishPart = PartBase.extend({
  type: z.literal("step-finish"),
  reason: z.string(),
  tokens: TokenUsage,
  /** USD. */
  cost: z.number().nonnegative(),
  snapshot: z.string().optional(),
})

export const PatchPart = PartBase.extend({ type: z.literal("patch"), hash: z.string(), files: z.array(z.string()) })

/** Work for a subagent that the user asked for; the loop runs it before any model call. */
export const SubtaskPart = PartBase.extend({
  type: z.literal("subtask"),
  prompt: z.string(),
  description: z.string(),
  agent: z.string(),
  model: ModelRef.optional(),
  command: z.string().optional(),
})

/** The user mentioned an agent: the model is told to delegate to it. */
export const AgentPart = PartBase.extend({ type: z.literal("agent"), name: z.string() })

export const RetryPart = PartBase.extend({
  type: z.literal("retry"),
  attempt: z.number().int(),
  error: MessageError,
  time: z.object({ created: z.number() }),
})

export const CompactionPart = PartBase.extend({ type: z.literal("compaction"), auto: z.boolean() })

export const Part = z.discriminatedUnion("type", [
  TextPart,
  ReasoningPart,
  ToolPart,
  FilePart,
  StepStartPart,
  StepFinishPart,
  PatchPart,
  SubtaskPart,
  AgentPart,
  RetryPart,
  CompactionPart,
])

export type TextPart = z.infer<typeof TextPart>
export type ReasoningPart = z.infer<typeof ReasoningPart>
export type ToolPart = z.infer<typeof ToolPart>
export type FilePart = z.infer<typeof FilePart>
export type StepStartPart = z.infer<typeof StepStartPart>
export type StepFinishPart = z.infer<typeof StepFinishPart>
export type PatchPart = z.infer<typeof PatchPart>
export type SubtaskPart = z.infer<typeof SubtaskPart>
export type AgentPart = z.infer<typeof AgentPart>
export type RetryPart = z.infer<typeof RetryPart>
export type CompactionPart = z.infer<typeof CompactionPart>
export type Part = z.infer<typeof Part>
