import {
  type AssistantMessage,
  type FileSession,
  type Message,
  type MessageWithParts,
  type ModelRef,
  Part,
  ProjectID,
  type Session,
  type SessionFile,
  sessionFileFormat,
  type Task,
  type Todo,
  type TodoPriority,
  type TodoStatus,
  type ToolPart,
} from "@docket/core/schema"
import {
  addUsage,
  createIdSource,
  type LeftOut,
  noUsage,
  type TaskMetadata,
  totalTokens,
  typedTitle,
  type Usage,
} from "@docket/core/session-file"
import { childTitle } from "@docket/core/session-title"
import { z } from "zod"

/** A part like `Part`, without its ids. `child` is the session that a call of `task` delegated to. */
export interface ForeignPart {
  content: Record<string, unknown>
  child?: ForeignSession
}

/** A message from another program. Times are epoch ms. */
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

interface ForeignTodo {
  content: string
  status: TodoStatus
  priority: TodoPriority
}

export interface ForeignSession extends Pick<Session, "title" | "agent"> {
  /** For a delegated session: its brief, and whether its call failed. */
  brief: string
  failed: boolean
  created: number
  messages: ForeignMessage[]
  todos: ForeignTodo[]
}

/** The parent of a delegated session. */
interface Below {
  session: Session
  origin: NonNullable<Session["origin"]>
}

/** The file for a tree from another program, with new ids that contain its times. */
export function toSessionFile(root: ForeignSession): SessionFile {
  const file: SessionFile = {
    ...sessionFileFormat,
    sanitized: false,
    rootID: createIdSource(() => root.created)("session"),
    tasks: [],
    reviews: { threads: [], comments: [], verdicts: [], viewed: [] },
    sessions: [],
    outputs: [],
  }
  addSession(file, root, null)
  return file
}

function addSession(file: SessionFile, of: ForeignSession, below: Below | null): Session {
  const session = sessionOf(file, of, below)
  const own: FileSession = { session, todos: [], todoChanges: [], turns: [], messages: [] }
  file.sessions.push(own)
  let at = of.created
  const createID = createIdSource(() => at)
  let promptID: string | null = null
  for (const message of of.messages) {
    at = Math.max(at, message.at)
    const messageID = createID("message")
    if (message.role === "user") promptID = messageID
    const info = messageOf(message, { id: messageID, sessionID: session.id, parentID: promptID ?? messageID })
    const item: MessageWithParts = { info, parts: [] }
    own.messages.push(item)
    for (const part of message.parts) {
      const ids = { id: createID("part"), sessionID: session.id, messageID }
      item.parts.push(partOf(file, part, { ids, session }))
    }
  }
  own.todos = of.todos.map((todo, position) =>
    todoOf(todo, { id: createID("todo"), sessionID: session.id, position, at }),
  )
  return session
}

function sessionOf(file: SessionFile, of: ForeignSession, below: Below | null): Session {
  const last = of.messages.at(-1)
  const usage = of.messages.reduce((sum, message) => addUsage(sum, message.usage), noUsage)
  const createID = createIdSource(() => of.created)
  return {
    id: below === null ? file.rootID : createID("session"),
    // The project is chosen at the import.
    projectID: ProjectID.parse(createID("project")),
    parentID: below?.session.id ?? null,
    rootID: file.rootID,
    depth: below === null ? 0 : below.session.depth + 1,
    directory: "",
    title: below === null ? of.title : childTitle(of.title, of.agent),
    agent: of.agent,
    model: of.messages.findLast(({ role }) => role === "assistant")?.model ?? null,
    permission: [],
    status: { type: "idle" },
    ...usage,
    origin: below?.origin ?? null,
    abortedAt: null,
    ...(last && { ended: { at: last.until, how: last.error === null ? "completed" : "failed" } }),
    time: { created: of.created, updated: last?.until ?? of.created, archived: null },
  }
}

function messageOf(of: ForeignMessage, ids: { id: string; sessionID: string; parentID: string }): Message {
  const { id, sessionID, parentID } = ids
  const { agent, model, at: created, until, finish, error, usage } = of
  if (of.role === "user") return { id, sessionID, agent, model, role: "user", time: { created } }
  const time = { created, completed: Math.max(created, until) }
  return { id, sessionID, agent, model, role: "assistant", parentID, finish, error, ...usage, time }
}

interface PartPlace {
  ids: { id: string; sessionID: string; messageID: string }
  session: Session
}

function partOf(file: SessionFile, { content, child }: ForeignPart, { ids, session: parent }: PartPlace): Part {
  const part = Part.parse({ ...content, ...ids })
  if (child === undefined || part.type !== "tool" || part.state.status === "pending") return part
  const origin = { messageID: ids.messageID, callID: part.callID }
  const session = addSession(file, child, { session: parent, origin })
  const task = delegatedTask(child, { number: file.tasks.length + 1, session, part })
  file.tasks.push(task)
  return { ...part, state: { ...part.state, metadata: { ...taskMetadata(task) } } }
}

interface TodoPlace extends Pick<Todo, "id" | "position"> {
  sessionID: string
  at: number
}

function todoOf(todo: ForeignTodo, { id, sessionID, position, at }: TodoPlace): Todo {
  const time = { created: at, updated: at, completed: todo.status === "completed" ? at : null }
  const rest = { description: "", agent: null, dependsOn: [], owner: null, proposed: null }
  return { id, number: position + 1, sessionID, ...todo, position, ...rest, time }
}

interface TaskPlace {
  number: number
  /** The child session. */
  session: Session
  /** The call in the parent session. */
  part: ToolPart
}

/** The task of an imported child; its end was delivered as the result of its call. */
function delegatedTask(child: ForeignSession, { number, session, part }: TaskPlace): Task {
  const { state } = part
  const calls = child.messages.flatMap(({ parts }) => parts).filter(({ content }) => content.type === "tool")
  const { cost, tokens, time } = session
  return {
    id: createIdSource(() => child.created)("task"),
    number,
    rootID: session.rootID,
    parentID: session.parentID ?? session.id,
    sessionID: session.id,
    messageID: part.messageID,
    partID: part.id,
    callID: part.callID,
    turnID: null,
    agent: child.agent,
    description: child.title,
    prompt: child.brief,
    model: session.model ?? child.messages[0]?.model ?? { providerID: "unknown", modelID: "unknown" },
    mode: "blocking",
    state: child.failed ? "failed" : "completed",
    result: state.status === "completed" ? state.output : null,
    resultPath: null,
    outputSchema: null,
    output: null,
    error: state.status === "error" ? { type: "failed", message: state.error } : null,
    usage: { tokens, cost, toolCalls: calls.length },
    limits: { tokens: null, cost: null, wallClock: null, toolCalls: null },
    deadline: null,
    todoID: null,
    worktree: null,
    delivered: "result",
    time: { created: time.created, started: time.created, ended: time.updated },
  }
}

/** The metadata of a task's call. */
function taskMetadata(task: Task): TaskMetadata {
  const { started, ended } = task.time
  return {
    sessionId: task.sessionID,
    agent: task.agent,
    model: task.model,
    description: task.description,
    state: task.state,
    summary: [],
    toolCount: task.usage.toolCalls,
    startedAt: started ?? 0,
    elapsed: (ended ?? 0) - (started ?? 0),
    tokens: totalTokens(task.usage.tokens),
    cost: task.usage.cost,
    answerLength: task.result?.length ?? 0,
  }
}

/** Counts content that Docket cannot represent, by kind. */
export interface LeftCount {
  add(what: string, count?: number): void
  list(): LeftOut[]
}

export function createLeftCount(): LeftCount {
  const counts = new Map<string, number>()
  return {
    add(named, count = 1) {
      // The text may contain names from the file.
      const what = typedTitle(named)
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count)
    },
    list: () => [...counts].map(([what, count]) => ({ what, count })),
  }
}

interface Delegation extends Pick<ForeignSession, "agent" | "title" | "brief" | "failed" | "created"> {
  model: ModelRef
  /** Null when the call has no result. */
  result: { text: string; at: number } | null
}

/** A child session known only from its call: the brief and the answer. */
export function briefAndResult({ model, result, ...given }: Delegation): ForeignSession {
  const said = (role: ForeignMessage["role"], text: string, at: number): ForeignMessage => ({
    role,
    agent: given.agent,
    model,
    at,
    until: at,
    finish: null,
    error: null,
    usage: noUsage,
    parts: [{ content: { type: "text", text, time: { start: at, end: at } } }],
  })
  const messages = [said("user", given.brief, given.created)]
  if (result !== null) messages.push(said("assistant", result.text, result.at))
  return { ...given, messages, todos: [] }
}

const Item = z.object({
  content: z.string().min(1),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]).catch("pending"),
  priority: z.enum(["high", "medium", "low"]).catch("medium"),
})
const Written = z.object({ todos: z.array(Item) })

/** The todo list that a call wrote; null when it wrote none. */
export function writtenTodos(input: unknown): ForeignTodo[] | null {
  return Written.safeParse(input).data?.todos ?? null
}

/** The list in the metadata of a `todowrite` call. */
export function todoMetadata(todos: readonly ForeignTodo[]): Record<string, unknown> {
  return { todos: todos.map((todo, index) => ({ id: String(index + 1), ...todo })), truncated: false }
}
