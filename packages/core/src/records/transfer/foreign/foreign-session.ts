import type { Usage } from "../../../ground/message/token-usage.ts"
import type { AssistantMessage, ModelRef, Session, TodoPriority, TodoStatus } from "../../../ground/schema/index.ts"

/** A part as `Part` has it, without its ids. `child` is the session that a call of `task` delegated to. */
export interface ForeignPart {
  content: Record<string, unknown>
  child?: ForeignSession
}

/** A message as another program wrote it down. Times are epoch ms. */
export interface ForeignMessage {
  role: "user" | "assistant"
  agent: string
  model: ModelRef
  at: number
  until: number
  finish: string | null
  error: AssistantMessage["error"]
  usage: Usage
  parts: ForeignPart[]
}

export interface ForeignTodo {
  content: string
  status: TodoStatus
  priority: TodoPriority
}

export interface ForeignSession extends Pick<Session, "title" | "agent"> {
  /** What it was asked to do, for one that was delegated, and whether its call failed. */
  brief: string
  failed: boolean
  created: number
  messages: ForeignMessage[]
  todos: ForeignTodo[]
}
