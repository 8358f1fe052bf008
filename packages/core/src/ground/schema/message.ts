import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageError } from "./error.ts"
import { MessageID, SessionID } from "./ids.ts"
import { ModelRef, TokenUsage } from "./model.ts"
import { Part } from "./part.ts"

/** What an extension changed of a message. */
const MessageChange = z.object({
  /** `request`: what the model was sent for it, and how. */
  what: z.enum(["prompt", "request", "answer"]),
  /** The extension, as people know it: `plugin name`. */
  by: z.string(),
})
export type MessageChange = z.infer<typeof MessageChange>

const MessageBase = z.object({
  id: MessageID,
  sessionID: SessionID,
  agent: z.string(),
  model: ModelRef,
  /** The model's variant, when one was chosen. */
  variant: z.string().optional(),
  /** What extensions changed of it, each of it once. */
  changed: z.array(MessageChange).optional(),
})

/** What did the work of a message in place of a model: a program of other people, and what it keeps of the session. */
const MessageProgram = z.object({
  /** As people know it. */
  name: z.string(),
  version: z.string().nullable(),
  /** Its own id of the conversation. */
  conversation: z.string(),
  /**
   * `new`: it began one; `resumed`: it went on with the one that it kept; `told`: it began one, and read what was said before
   * as text; `inside`: it is a subagent of the program of the session above, which told of it.
   */
  begun: z.enum(["new", "resumed", "told", "inside"]),
  /** Why it runs outside the sandbox; null when it is in it. */
  outside: z.string().nullable(),
  /** USD that it told of for the whole conversation. */
  spent: z.number().nonnegative().optional(),
  /** Its model's context, as far as it tells. */
  context: z.object({ used: z.number(), size: z.number() }).optional(),
})
export type MessageProgram = z.infer<typeof MessageProgram>

export const UserMessage = MessageBase.extend({
  role: z.literal("user"),
  /** Extra system text for this prompt only. */
  system: z.string().optional(),
  /** Who wrote the message, as stored in its turn. */
  by: Caller.optional(),
  time: z.object({ created: z.number() }),
})

export const AssistantMessage = MessageBase.extend({
  role: z.literal("assistant"),
  /** The user message that this message answers. */
  parentID: MessageID,
  finish: z.string().nullable(),
  error: MessageError.nullable(),
  /** A compaction summary: earlier messages are not sent to the model any more. */
  summary: z.boolean().optional(),
  /** Ran what a command of the prompt names, before any model was asked: models read the outputs in the prompt. */
  forCommand: z.boolean().optional(),
  /** The value that it gave, when its prompt has an output schema and this is its answer. */
  output: z.unknown().optional(),
  /** Missing where a model answered. */
  program: MessageProgram.optional(),
  /** USD, sum of the steps. */
  cost: z.number().nonnegative(),
  tokens: TokenUsage,
  time: z.object({ created: z.number(), completed: z.number().nullable() }),
})

/** One message, without its parts. Messages of a session are ordered by id. */
export const Message = z.discriminatedUnion("role", [UserMessage, AssistantMessage])
export const MessageWithParts = z.object({ info: Message, parts: z.array(Part) })

export type UserMessage = z.infer<typeof UserMessage>
export type AssistantMessage = z.infer<typeof AssistantMessage>
export type Message = z.infer<typeof Message>
export type MessageWithParts = z.infer<typeof MessageWithParts>
