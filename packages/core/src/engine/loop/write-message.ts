import type { CreateId } from "../../ground/id/create-id.ts"
import { noTokens } from "../../ground/message/usage.ts"
import type { AssistantMessage, Caller, Part, PromptPart, UserMessage } from "../../ground/schema/index.ts"
import type { TurnContext } from "./turn-context.ts"

/** Ids and timestamps for new rows. */
export interface Stamp {
  createID: CreateId
  /** Epoch ms. */
  clock: () => number
}

type Unplaced<T> = T extends Part ? Omit<T, "id" | "sessionID" | "messageID"> : never
/** A part without its ids. */
export type NewPart = Unplaced<Part>

/** The session, agent and model of a message, and the writer for it. */
interface Author extends Pick<TurnContext, "session" | "model" | "variant"> {
  agent: { name: string }
  writer: Pick<TurnContext["writer"], "message" | "part" | "commentsRead">
}

interface MessageOptions {
  system?: string | undefined
  by?: Caller | undefined
}

/** Writes a user message with its parts. The caller awaits `writer.settled`. */
export function writeUserMessage(deps: Stamp, turn: Author, parts: NewPart[], options?: MessageOptions): UserMessage {
  const made = newUserMessage(deps, turn, parts, options)
  storeUserMessage(turn, made)
  return made.info
}

export interface NewUserMessage {
  info: UserMessage
  parts: Part[]
}

/** A user message with its parts, not stored yet. */
export function newUserMessage(
  deps: Stamp,
  turn: Author,
  parts: NewPart[],
  { system, by }: MessageOptions = {},
): NewUserMessage {
  const info: UserMessage = {
    id: deps.createID("message"),
    sessionID: turn.session.id,
    role: "user",
    agent: turn.agent.name,
    model: turn.model,
    ...(turn.variant !== null && { variant: turn.variant }),
    ...(system !== undefined && { system }),
    ...(by && { by }),
    time: { created: deps.clock() },
  }
  // The spread restores the union type that NewPart took apart.
  const place = (part: NewPart) =>
    ({ ...part, id: deps.createID("part"), sessionID: info.sessionID, messageID: info.id }) as Part
  return { info, parts: parts.map(place) }
}

/** Stores a new user message. The caller awaits `writer.settled`. */
export function storeUserMessage({ writer }: Pick<Author, "writer">, { info, parts }: NewUserMessage): void {
  void writer.message(info)
  for (const part of parts) {
    void writer.part(part)
    if (part.type === "text" && part.notice?.kind === "review") writer.commentsRead(part.notice, info.id)
  }
}

/** Writes the assistant message of a new step. */
export function startMessage(
  deps: Stamp,
  turn: TurnContext,
  more: Pick<AssistantMessage, "forCommand" | "program"> = {},
): AssistantMessage {
  const message: AssistantMessage = {
    id: deps.createID("message"),
    sessionID: turn.session.id,
    role: "assistant",
    parentID: turn.userMessage.id,
    agent: turn.agent.name,
    model: turn.model,
    ...(turn.variant !== null && { variant: turn.variant }),
    ...more,
    finish: null,
    error: null,
    cost: 0,
    tokens: noTokens,
    time: { created: deps.clock(), completed: null },
  }
  void turn.writer.message(message)
  void turn.writer.part({
    id: deps.createID("part"),
    sessionID: message.sessionID,
    messageID: message.id,
    type: "step-start",
  })
  return message
}

type CommandPart = Extract<PromptPart, { type: "command" }>

/** A command as a person types it. */
export function typedCommand({ name, arguments: typed }: CommandPart): string {
  return typed === "" ? `/${name}` : `/${name} ${typed}`
}

/** The parts of a command in a transcript: its typed form, and a pending part for its expansion. */
export function commandParts(part: CommandPart): NewPart[] {
  const { name, expansion } = part
  const typed: NewPart = { type: "text", text: typedCommand(part) }
  if (expansion === undefined) return [typed]
  const notice = { kind: "command", name, origin: expansion.origin, state: "pending" } as const
  return [typed, { type: "text", text: "", synthetic: true, notice }]
}
