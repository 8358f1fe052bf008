import { totalTokens } from "../../message/token-usage.ts"
import { Message, type ModelRef, Part, Session } from "../../schema/index.ts"
import { isCompactionSummary } from "../compaction-summary.ts"
import { onlyReader } from "../private-tree.ts"
import { defineRecord } from "./define-record.ts"

export const sessionRecord = defineRecord({
  name: "Session",
  words: ["session", "sessions"],
  schema: Session,
  owner: "session",
  columns: {
    rootID: "word",
    parentID: "word?",
    projectID: "word",
    depth: "integer",
    title: "text",
    directory: "text",
    agent: "text",
    model: "text?",
    status: "word",
    originCallID: "text?",
    cost: "number",
    tokens: "number",
    created: "number",
    updated: "number",
    archived: "boolean",
    seq: "integer",
    createdSeq: "integer",
    onlyFor: "person?",
  },
  given: ["rootID", "seq", "createdSeq"],
  values: (session) => ({
    model: session.model && modelText(session.model),
    status: session.status.type,
    originCallID: session.origin?.callID ?? null,
    tokens: totalTokens(session.tokens),
    created: session.time.created,
    updated: session.time.updated,
    archived: session.time.archived !== null,
    onlyFor: onlyReader(session),
  }),
})

export const messageRecord = defineRecord({
  name: "Message",
  words: ["message", "messages"],
  schema: Message,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    seq: "integer",
    role: "word",
    agent: "text",
    model: "text",
    cost: "number",
    created: "number",
    summary: "boolean",
    open: "boolean",
  },
  given: ["rootID", "seq"],
  values: (message) => ({
    model: modelText(message.model),
    cost: message.role === "assistant" ? message.cost : 0,
    created: message.time.created,
    summary: isCompactionSummary(message),
    open: message.role === "assistant" && message.time.completed === null,
  }),
})

export const partRecord = defineRecord({
  name: "Part",
  words: ["part of a message", "parts of messages"],
  schema: Part,
  owner: { record: messageRecord, column: "messageID" },
  columns: {
    rootID: "word",
    sessionID: "word",
    messageID: "word",
    seq: "integer",
    type: "word",
    tool: "text?",
    toolStatus: "word?",
  },
  given: ["rootID", "seq"],
  values: (part) => ({
    tool: part.type === "tool" ? part.tool : null,
    toolStatus: part.type === "tool" ? part.state.status : null,
  }),
})

function modelText({ providerID, modelID }: ModelRef): string {
  return `${providerID}/${modelID}`
}
