import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageError } from "./error.ts"
import { MessageID, SessionID, TurnID } from "./ids.ts"
import { ModelRef } from "./model.ts"
import { Notice } from "./notice.ts"
import { CommandExpansion } from "./prompt-command.ts"

export const PromptPart = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    text: z.string(),
    synthetic: z.boolean().optional(),
    /** This, `notice` and `command` are Docket's own, as in a text part: what others send of them is left out. */
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
    /** Docket's own: what it came to when the prompt was taken. What others send of it is left out. */
    expansion: CommandExpansion.optional(),
  }),
])
export type PromptPart = z.infer<typeof PromptPart>

/** A request to a session. `agent`, `model` and `variant` default to those of the session. */
export const PromptInput = z.object({
  parts: z.array(PromptPart).min(1),
  agent: z.string().optional(),
  model: ModelRef.optional(),
  variant: z.string().min(1).optional(),
  system: z.string().optional(),
})
export type PromptInput = z.infer<typeof PromptInput>

/** Who runs a turn. */
export const TurnOwner = z.object({
  /** Names the runtime; the same one after a restart. */
  runner: z.string(),
  /** When that runtime was started (epoch ms): tells its lives apart. */
  since: z.number(),
  /** Epoch ms. The owner renews it while it lives; later, another runtime may take the turn. */
  until: z.number(),
})
export type TurnOwner = z.infer<typeof TurnOwner>

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
  /** How often it was claimed. A turn that kills its process stops after 3. */
  attempt: z.number().int().nonnegative(),
  /** Bumped by each claim. A writer with an older epoch is stale and must stop. */
  epoch: z.number().int().nonnegative(),
  error: MessageError.nullable(),
  /** Who prompted it; for a run of a schedule, who made that. */
  by: Caller.optional(),
  /** For whom it works where nobody prompted it: who caused the task that it works on, or of whose end it is told. */
  cause: Caller.optional(),
  /** Who stopped it, or took it back while it waited. */
  stoppedBy: Caller.optional(),
  /** Who claimed it last; null or left out before its first claim. */
  owner: TurnOwner.nullable().optional(),
  time: z.object({ created: z.number(), started: z.number().nullable(), ended: z.number().nullable() }),
})
export type Turn = z.infer<typeof Turn>
