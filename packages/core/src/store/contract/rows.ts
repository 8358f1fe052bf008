import { createIdSource } from "../../id/create-id.ts"
import type {
  AssistantMessage,
  PermissionRequest,
  Session,
  Share,
  TextPart,
  Todo,
  ToolPart,
  Turn,
  UserMessage,
} from "../../schema/index.ts"
import type { Store } from "../port.ts"

const createId = createIdSource()
const model = { providerID: "test", modelID: "model" }
const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** New ids, in ascending order (those of sessions descend). */
export const newId = createId

export function root(fields: Partial<Session> = {}): Session {
  const id = fields.id ?? createId("session")
  return {
    id,
    projectID: createId("project"),
    parentID: null,
    rootID: id,
    depth: 0,
    directory: "/project",
    title: "Untitled",
    agent: "build",
    model: null,
    permission: [],
    status: { type: "idle" },
    cost: 0,
    tokens,
    origin: null,
    abortedAt: null,
    time: { created: 1_000, updated: 1_000, archived: null },
    ...fields,
  }
}

export function childOf(parent: Session, fields: Partial<Session> = {}): Session {
  const place = { parentID: parent.id, rootID: parent.rootID, depth: parent.depth + 1, projectID: parent.projectID }
  return root({ ...place, ...fields })
}

export function userMessage(session: Session, fields: Partial<UserMessage> = {}): UserMessage {
  const base = { id: createId("message"), sessionID: session.id, agent: "build", model }
  return { ...base, role: "user", time: { created: 1_000 }, ...fields }
}

export function assistantMessage(session: Session, fields: Partial<AssistantMessage> = {}): AssistantMessage {
  const base = { id: createId("message"), sessionID: session.id, agent: "build", model }
  const time = { created: 1_000, completed: 2_000 }
  const rest = { parentID: createId("message"), finish: "stop", error: null, cost: 0, tokens, time }
  return { ...base, role: "assistant", ...rest, ...fields }
}

export function textPart(message: { id: string; sessionID: string }, text = "text"): TextPart {
  return { id: createId("part"), sessionID: message.sessionID, messageID: message.id, type: "text", text }
}

export function toolPart(message: { id: string; sessionID: string }, state: ToolPart["state"]): ToolPart {
  const base = { id: createId("part"), sessionID: message.sessionID, messageID: message.id }
  return { ...base, type: "tool", callID: "call", tool: "bash", state }
}

export function todo(session: Session, position: number, fields: Partial<Todo> = {}): Todo {
  return {
    id: createId("todo"),
    number: position + 1,
    sessionID: session.id,
    content: `item ${position}`,
    description: "",
    status: "pending",
    priority: "medium",
    position,
    agent: null,
    dependsOn: [],
    owner: null,
    proposed: null,
    time: { created: 1_000, updated: 1_000, completed: null },
    ...fields,
  }
}

export function turn(session: Session, fields: Partial<Turn> = {}): Turn {
  return {
    id: createId("turn"),
    rootID: session.rootID,
    sessionID: session.id,
    status: "queued",
    input: { parts: [{ type: "text", text: "hello" }] },
    messageID: null,
    attempt: 0,
    epoch: 0,
    error: null,
    time: { created: 1_000, started: null, ended: null },
    ...fields,
  }
}

export function permissionRequest(session: Session, fields: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    id: createId("permission"),
    rootID: session.rootID,
    sessionID: session.id,
    messageID: null,
    callID: null,
    permission: "bash",
    patterns: ["ls"],
    always: ["ls *"],
    metadata: {},
    status: "pending",
    message: null,
    time: { created: 1_000, replied: null },
    ...fields,
  }
}

export function share(session: Session, hash: string, fields: Partial<Share> = {}): Share {
  const time = { created: 1_000, revoked: null }
  return { id: createId("share"), rootID: session.id, secretHash: hash.repeat(64).slice(0, 64), time, ...fields }
}

/** Writes the sessions to their tree and answers with the first. */
export async function putSessions(store: Store, first: Session, ...others: Session[]): Promise<Session> {
  const mutations = [first, ...others].map((value) => ({ kind: "session" as const, value }))
  await store.write.commit([{ rootID: first.rootID, mutations }])
  return first
}
