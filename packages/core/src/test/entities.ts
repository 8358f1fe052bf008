import type { CreateId } from "../ground/id/create-id.ts"
import { noTokens } from "../ground/message/usage.ts"
import type { MessageWithParts, Session, TextPart, UserMessage } from "../ground/schema/index.ts"

const model = { providerID: "scripted", modelID: "one" }

export function newSession(createID: CreateId, change: Partial<Session> = {}): Session {
  const id = createID("session")
  return {
    id,
    projectID: createID("project"),
    parentID: null,
    rootID: id,
    depth: 0,
    directory: "/project",
    title: "A session",
    agent: "build",
    model,
    permission: [],
    status: { type: "idle" },
    cost: 0,
    tokens: noTokens,
    origin: null,
    abortedAt: null,
    time: { created: 1, updated: 1, archived: null },
    ...change,
  }
}

export function newUserMessage(createID: CreateId, sessionID: string): UserMessage {
  return { id: createID("message"), sessionID, role: "user", agent: "build", model, time: { created: 1 } }
}

export function newTextPart(createID: CreateId, message: { id: string; sessionID: string }, text: string): TextPart {
  return { id: createID("part"), sessionID: message.sessionID, messageID: message.id, type: "text", text }
}

export function userMessageWith(createID: CreateId, sessionID: string, text: string): MessageWithParts {
  const info = newUserMessage(createID, sessionID)
  return { info, parts: [newTextPart(createID, info, text)] }
}
