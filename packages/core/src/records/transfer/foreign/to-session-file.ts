import { createIdSource } from "../../../ground/id/create-id.ts"
import { addUsage, noUsage } from "../../../ground/message/token-usage.ts"
import {
  type FileSession,
  type Message,
  type MessageWithParts,
  Part,
  ProjectID,
  type Session,
  type SessionFile,
  sessionFileFormat,
  type Todo,
} from "../../../ground/schema/index.ts"
import { childTitle } from "../../session/session-title.ts"
import { delegatedTask, taskMetadata } from "./delegated-task.ts"
import type { ForeignMessage, ForeignPart, ForeignSession, ForeignTodo } from "./foreign-session.ts"

/** Where a session stands below the one that delegated to it. */
interface Below {
  session: Session
  origin: NonNullable<Session["origin"]>
}

/** The file of a tree that another program wrote down, under new ids that tell its times. */
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
    // Where it belongs is chosen when it is brought.
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
