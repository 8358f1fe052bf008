import type {
  Message,
  Part,
  PermissionRequest,
  Removal,
  ReviewComment,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Session,
  ShareRow,
  Task,
  Todo,
  TodoChange,
  Turn,
} from "../generated/sqlite/client/client.ts"

/** Rows that programs write, as the Prisma models describe them. */
export interface Rows {
  Message: Message
  Part: Part
  PermissionRequest: PermissionRequest
  Removal: Removal
  ReviewComment: ReviewComment
  ReviewThread: ReviewThread
  ReviewVerdict: ReviewVerdict
  ReviewViewed: ReviewViewed
  /** `todoSeq` is written by its own statement. */
  Session: Omit<Session, "todoSeq">
  ShareRow: ShareRow
  Task: Task
  Todo: Todo
  TodoChange: TodoChange
  Turn: Turn
}

export type TableName = keyof Rows
export type ColumnType = "text" | "integer" | "number" | "boolean"

/** Columns of each table in the order in which they are written. The key is (tenantID, second column). */
export const tables: { [T in TableName]: Record<keyof Rows[T], ColumnType> } = {
  Session: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    parentID: "text",
    projectID: "text",
    depth: "integer",
    title: "text",
    directory: "text",
    agent: "text",
    model: "text",
    status: "text",
    originCallID: "text",
    cost: "number",
    tokens: "number",
    created: "number",
    updated: "number",
    archived: "boolean",
    seq: "integer",
    createdSeq: "integer",
    onlyFor: "text",
    data: "text",
  },
  Message: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    seq: "integer",
    role: "text",
    agent: "text",
    model: "text",
    cost: "number",
    created: "number",
    summary: "boolean",
    open: "boolean",
    data: "text",
  },
  Part: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    messageID: "text",
    seq: "integer",
    type: "text",
    tool: "text",
    toolStatus: "text",
    data: "text",
  },
  Todo: {
    tenantID: "text",
    id: "text",
    number: "integer",
    content: "text",
    sessionID: "text",
    rootID: "text",
    status: "text",
    priority: "text",
    rank: "integer",
    position: "integer",
    agent: "text",
    updated: "number",
    data: "text",
  },
  TodoChange: {
    tenantID: "text",
    id: "text",
    todoID: "text",
    sessionID: "text",
    at: "number",
    actor: "text",
    data: "text",
  },
  Task: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    parentID: "text",
    sessionID: "text",
    seq: "integer",
    number: "integer",
    state: "text",
    agent: "text",
    description: "text",
    worktree: "text",
    created: "number",
    ended: "number",
    data: "text",
  },
  ReviewThread: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    taskID: "text",
    seq: "integer",
    anchor: "text",
    person: "text",
    resolved: "boolean",
    created: "number",
    data: "text",
  },
  ReviewComment: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    threadID: "text",
    seq: "integer",
    person: "text",
    asks: "text",
    created: "number",
    data: "text",
  },
  ReviewVerdict: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    taskID: "text",
    seq: "integer",
    person: "text",
    verdict: "text",
    withdrawn: "boolean",
    created: "number",
    data: "text",
  },
  ReviewViewed: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    taskID: "text",
    seq: "integer",
    person: "text",
    viewed: "number",
    data: "text",
  },
  ShareRow: {
    tenantID: "text",
    id: "text",
    shareID: "text",
    kind: "text",
    sessionID: "text",
    messageID: "text",
    seq: "integer",
    data: "text",
    hidden: "text",
  },
  Turn: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    seq: "integer",
    status: "text",
    epoch: "integer",
    attempt: "integer",
    created: "number",
    ended: "number",
    data: "text",
  },
  PermissionRequest: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    seq: "integer",
    status: "text",
    permission: "text",
    created: "number",
    replied: "number",
    data: "text",
  },
  Removal: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    kind: "text",
    sessionID: "text",
    messageID: "text",
    seq: "integer",
  },
}

/** `INSERT INTO table (columns) <source> ON CONFLICT … DO UPDATE`, where `source` gives the rows. */
export function upsertSql(table: TableName, source: string): string {
  const columns = Object.keys(tables[table])
  const key = columns.slice(0, 2)
  const updates = columns
    .slice(2)
    .filter((name) => name !== "createdSeq")
    .map((name) => `"${name}" = excluded."${name}"`)
  const list = columns.map((name) => `"${name}"`).join(", ")
  return (
    `INSERT INTO "${table}" (${list}) ${source} ` +
    `ON CONFLICT (${key.map((name) => `"${name}"`).join(", ")}) DO UPDATE SET ${updates.join(", ")}`
  )
}
