import { type MessageError, ModelRef, Part, type SessionFile, TokenUsage } from "@docket/core/schema"
import { badFile, type LeftOut, titleFrom } from "@docket/core/session-file"
import { z } from "zod"
import {
  briefAndResult,
  createLeftCount,
  type ForeignMessage,
  type ForeignPart,
  type ForeignSession,
  type LeftCount,
  todoMetadata,
  toSessionFile,
  writtenTodos,
} from "./to-session-file.ts"

const Time = z.number().nonnegative()
const Info = z.object({
  title: z.string().catch(""),
  parentID: z.string().optional(),
  share: z.unknown().optional(),
  revert: z.unknown().optional(),
  time: z.object({ created: Time }),
})
const Shared = { time: z.object({ created: Time, completed: Time.optional() }), agent: z.string().optional() }
const Message = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), ...Shared, model: ModelRef.optional() }),
  z.object({
    role: z.literal("assistant"),
    ...Shared,
    mode: z.string().optional(),
    ...ModelRef.shape,
    cost: z.number().nonnegative().catch(0),
    tokens: TokenUsage.catch({ input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }),
    finish: z.string().optional(),
    error: z.object({ name: z.string(), data: z.object({ message: z.string() }).partial().optional() }).nullish(),
  }),
])
type Message = z.infer<typeof Message>

/** Messages and parts are read one by one: Zod would describe each of a million wrong ones. */
const Exported = z.object({ info: Info, messages: z.array(z.unknown()) })
const ExportedMessage = z.object({ info: Message, parts: z.array(z.unknown()) })
const ExportedPart = z.looseObject({ type: z.string() })
const Delegated = z.object({
  description: z.string().catch("Task"),
  prompt: z.string().catch(""),
  subagent_type: z.string().catch("general"),
})
const OpenPart = z.object({ time: z.object({ start: Time, end: z.undefined().optional() }) })
const Attached = z.object({ state: z.object({ attachments: z.array(z.unknown()) }) })

/** Valid ids for checking a part; the ids of the file are not kept. */
const someIDs = {
  id: `prt_${"0".repeat(26)}`,
  sessionID: `ses_${"0".repeat(26)}`,
  messageID: `msg_${"0".repeat(26)}`,
}

/** Reads one session as written by `opencode export`: `{ info, messages: [{ info, parts }] }`. */
export function readOpenCode(value: unknown): { file: SessionFile; left: LeftOut[] } {
  const { info, messages: given } = checked(value, [], Exported)
  const messages = given.map((message, index) => {
    const read = checked(message, ["messages", index], ExportedMessage)
    const parts = read.parts.map((part, nth) => checked(part, ["messages", index, "parts", nth], ExportedPart))
    return { info: read.info, parts }
  })
  const left = createLeftCount()
  const model = messages.map((message) => modelOf(message.info)).find((known) => known !== null) ?? unknownModel
  const session: ForeignSession = {
    title: titleFrom(info.title) || "OpenCode session",
    agent: "build",
    brief: "",
    failed: false,
    created: info.time.created,
    messages: [],
    todos: [],
  }
  if (info.parentID !== undefined) left.add("places below another session")
  if (info.revert) left.add("undone parts that were kept for a redo (they are in the transcript again)")
  for (const message of messages) {
    const parts = message.parts.flatMap((part) => partOf(part, { message: message.info, session, model, left }) ?? [])
    session.messages.push(messageOf(message.info, model, parts))
  }
  if (session.messages.length === 0) throw badFile("it has no message.")
  session.agent = session.messages[0]?.agent ?? session.agent
  return { file: toSessionFile(session), left: left.list() }
}

function checked<T>(value: unknown, place: readonly (string | number)[], schema: z.ZodType<T>): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const at = [...place, ...(issue?.path ?? [])].join(".") || "it"
  throw badFile(`it looks like one of OpenCode, but ${at}: ${issue?.message ?? "is not"}`)
}

const unknownModel: ModelRef = { providerID: "unknown", modelID: "unknown" }

function modelOf(message: Message): ModelRef | null {
  if (message.role === "user") return message.model ?? null
  return { providerID: message.providerID, modelID: message.modelID }
}

function messageOf(message: Message, model: ModelRef, parts: ForeignPart[]): ForeignMessage {
  const { role, time } = message
  const isAnswer = role === "assistant"
  return {
    role,
    agent: message.agent ?? (isAnswer ? message.mode : undefined) ?? "build",
    model: modelOf(message) ?? model,
    at: time.created,
    until: time.completed ?? time.created,
    finish: isAnswer ? (message.finish ?? null) : null,
    error: isAnswer && message.error ? errorOf(message.error) : null,
    usage: isAnswer ? { cost: message.cost, tokens: message.tokens } : { cost: 0, tokens: noTokens },
    parts,
  }
}

const noTokens: TokenUsage = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

function errorOf({ name, data }: { name: string; data?: { message?: string | undefined } | undefined }): MessageError {
  const isAborted = name === "MessageAbortedError"
  const message = data?.message ?? name
  return { name: isAborted ? "AbortedError" : "UnknownError", message, statusCode: null, retryable: false }
}

interface Place {
  message: Message
  session: ForeignSession
  model: ModelRef
  left: LeftCount
}

/** Null for parts that Docket does not have. */
function partOf(given: { type: string }, place: Place): ForeignPart | null {
  const read = Part.safeParse({ ...withEnd(given), ...someIDs })
  if (!read.success) {
    place.left.add(`parts of kind "${given.type.slice(0, 40)}"`)
    return null
  }
  const { id: _id, sessionID: _session, messageID: _message, ...content } = read.data
  if (read.data.type !== "tool") return { content }
  place.left.add("files that tools put out", Attached.safeParse(given).data?.state.attachments.length ?? 0)
  const { state, tool } = read.data
  if (tool === "todowrite") {
    const todos = writtenTodos(state.input) ?? []
    place.session.todos = todos
    if (state.status === "completed")
      return { content: { ...content, state: { ...state, metadata: todoMetadata(todos) } } }
  }
  if (tool !== "task" || (state.status !== "completed" && state.status !== "error")) return { content }
  place.left.add("transcripts of subagents (each is a session of its own in OpenCode)")
  const { description, prompt, subagent_type: agent } = Delegated.parse(Object(state.input))
  const said = state.status === "completed" ? state.output : state.error
  const child = briefAndResult({
    agent,
    title: titleFrom(description) || "Task",
    brief: prompt,
    failed: state.status === "error",
    model: modelOf(place.message) ?? place.model,
    created: state.time.start,
    result: { text: said, at: state.time.end },
  })
  return { content, child }
}

/** A part that was being written gets an `end` of null, which Docket requires. */
function withEnd<T extends object>(part: T): T {
  const open = OpenPart.safeParse(part).data
  return open === undefined ? part : { ...part, time: { ...open.time, end: null } }
}
