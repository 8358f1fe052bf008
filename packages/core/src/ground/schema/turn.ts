import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageError } from "./error.ts"
import { MessageID, SessionID, TurnID } from "./ids.ts"
import { ModelRef } from "./model.ts"
import { Notice } from "./notice.ts"
import { CommandExpansion } from "./prompt-command.ts"
import { ToolSwitches } from "./tool-switches.ts"

export const PromptPart = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    text: z.string(),
    synthetic: z.boolean().optional(),
    /** Docket alone sets this, `notice` and `command`, as in a text part: values from clients are dropped. */
    addedBy: z.literal("client").optional(),
    notice: Notice.optional(),
    command: z.string().optional(),
  }),
  z.object({ type: z.literal("file"), mime: z.string(), url: z.string(), filename: z.string().optional() }),
  z.object({ type: z.literal("agent"), name: z.string() }),
  z.object({
    type: z.literal("subtask"),
    prompt: z.string(),
    description: z.string(),
    agent: z.string(),
    model: ModelRef.optional(),
    command: z.string().optional(),
  }),
  z.object({
    type: z.literal("command"),
    name: z.string(),
    arguments: z.string().default(""),
    /** Docket alone sets this when it accepts the prompt; a value from a client is dropped. */
    expansion: CommandExpansion.optional(),
  }),
])
export type PromptPart = z.infer<typeof PromptPart>

/** A prompt to a session. `agent`, `model` and `variant` default to those of the session. */
export const PromptInput = z.object({
  parts: z.array(PromptPart).min(1),
  agent: z.string().optional(),
  model: ModelRef.optional(),
  variant: z.string().min(1).optional(),
  system: z.string().optional(),
  /** Tools that this prompt, and what it delegates, does without. */
  tools: ToolSwitches.optional(),
  /** A JSON Schema that the answer must fit; `output` of the turn is then the value. */
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  /** Only adds the message to the conversation: no model answers it. */
  noReply: z.boolean().optional(),
  /** A turn that runs in the session reads it before its next step. Without one, it has its own turn, as any prompt. */
  steer: z.boolean().optional(),
})
export type PromptInput = z.infer<typeof PromptInput>

/** The runtime that runs a turn. */
export const TurnOwner = z.object({
  /** The id of the runtime; it stays the same after a restart. */
  runner: z.string(),
  /** When that runtime was started (epoch ms), to tell its runs before and after a restart apart. */
  since: z.number(),
  /** Epoch ms. The owner extends this time while it lives; after it, another runtime may take the turn. */
  until: z.number(),
})
export type TurnOwner = z.infer<typeof TurnOwner>

/** The trace of a turn, where the service is watched (W3C traceparent). */
export const TurnTrace = z.object({
  of: z.string(),
  /** The turn stands below this span, whose work waits for it; or it follows it. */
  how: z.enum(["within", "after"]),
})
export type TurnTrace = z.infer<typeof TurnTrace>

/**
 * The run record of one prompt. One turn of a session runs at a time, later ones stay queued in order.
 * Its user message is written when the turn is claimed, so that message ids follow the order of work.
 */
export const Turn = z.object({
  id: TurnID,
  rootID: SessionID,
  sessionID: SessionID,
  status: z.enum(["queued", "running", "completed", "failed", "aborted", "interrupted"]),
  input: PromptInput,
  messageID: MessageID.nullable(),
  /** How often the turn was claimed. A turn that kills its process is not claimed more than 3 times. */
  attempt: z.number().int().nonnegative(),
  /** Each claim raises it. A writer with an older epoch is stale and must stop. */
  epoch: z.number().int().nonnegative(),
  error: MessageError.nullable(),
  /** The value that the answer gave, when the prompt has an output schema and the turn completed. */
  output: z.unknown().optional(),
  /** The turn that read the prompt of this one, and answers it. */
  within: TurnID.optional(),
  /** Who wrote the prompt; for a run of a schedule, who made the schedule. */
  by: Caller.optional(),
  /** For a turn without a person's prompt: the person who caused the task that it works on or whose end it reports. */
  cause: Caller.optional(),
  /** Who stopped the turn, or withdrew it while it waited. */
  stoppedBy: Caller.optional(),
  /** The runtime that last claimed the turn; null or absent before the first claim. */
  owner: TurnOwner.nullable().optional(),
  /** What caused the turn; once it has begun, its first attempt. */
  trace: TurnTrace.optional(),
  time: z.object({ created: z.number(), started: z.number().nullable(), ended: z.number().nullable() }),
})
export type Turn = z.infer<typeof Turn>
