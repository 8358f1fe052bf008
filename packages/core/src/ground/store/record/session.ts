import { DocketError } from "../../error/docket-error.ts"
import { totalTokens } from "../../message/usage.ts"
import { Message, type ModelRef, Part, Session } from "../../schema/index.ts"
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

/** Root first, then by creation. Session ids descend, so of two with one time the larger id is the older. */
export function byCreation(a: Session, b: Session): number {
  const isOneRoot = a.depth === 0 || b.depth === 0
  if (a.depth !== b.depth && isOneRoot) return a.depth - b.depth
  return a.time.created - b.time.created || (a.id > b.id ? -1 : 1)
}

/** Where the next page of the session list starts, after the session that was updated then (ms). */
export function listCursor(id: string, updated: number): string {
  return `${updated}:${id}`
}

/** @throws DocketError invalid_input when it is not a cursor that a list gave */
export function parseListCursor(cursor: string): { updated: number; id: string } {
  const [, updated, id] = /^(\d+(?:\.\d+)?):(\w+)$/.exec(cursor) ?? []
  if (updated === undefined || id === undefined) {
    throw new DocketError("invalid_input", "the cursor is not one that this list gave; leave it out for its first page")
  }
  return { updated: Number(updated), id }
}

/** Who started or imported a tree; null in rows of older versions without that person. */
export function authorOf({ by, imported }: Pick<Session, "by" | "imported">): string | null {
  return imported?.by.person ?? by?.person ?? null
}

/** The only person who sees the tree of a root session; null when its workspace sees it. */
export function onlyReader(session: Pick<Session, "parentID" | "visibility" | "by" | "imported">): string | null {
  return session.parentID === null && session.visibility === "author" ? authorOf(session) : null
}

/** A summary that replaces what came before it: one that was written to its end. A failed one replaces nothing. */
export function isCompactionSummary(message: Message): boolean {
  return (
    message.role === "assistant" &&
    message.summary === true &&
    message.error === null &&
    message.time.completed !== null
  )
}
