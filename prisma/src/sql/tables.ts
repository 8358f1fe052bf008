import type {
  ApiToken,
  ConfigTrust,
  Counter,
  Memory,
  Message,
  Part,
  PermissionGrant,
  PermissionRequest,
  Project,
  Removal,
  Schedule,
  ScheduleRun,
  Session,
  Share,
  Task,
  Todo,
  TodoChange,
  Tree,
  Turn,
} from "../generated/sqlite/client/client.ts"

/** Rows as the Prisma models describe them. */
export interface Rows {
  ApiToken: ApiToken
  ConfigTrust: ConfigTrust
  Counter: Counter
  Memory: Memory
  Message: Message
  Part: Part
  PermissionGrant: PermissionGrant
  PermissionRequest: PermissionRequest
  Project: Project
  Removal: Removal
  Schedule: Schedule
  ScheduleRun: ScheduleRun
  /** `todoSeq` is written by its own statement. */
  Session: Omit<Session, "todoSeq">
  Share: Share
  Task: Task
  Todo: Todo
  TodoChange: TodoChange
  Tree: Tree
  Turn: Turn
}

export type TableName = keyof Rows
export type ColumnType = "text" | "integer" | "number" | "boolean"

/** Columns of each table in the order in which they are written. The key is (tenantID, second column). */
export const tables: { [T in TableName]: Record<keyof Rows[T], ColumnType> } = {
  Counter: { tenantID: "text", name: "text", value: "integer" },
  Tree: { tenantID: "text", rootID: "text", seq: "integer", alive: "boolean" },
  Project: { tenantID: "text", id: "text", directory: "text", opened: "number", data: "text" },
  Session: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    parentID: "text",
    projectID: "text",
    depth: "integer",
    title: "text",
    status: "text",
    originCallID: "text",
    cost: "number",
    tokens: "number",
    created: "number",
    updated: "number",
    archived: "boolean",
    seq: "integer",
    createdSeq: "integer",
    data: "text",
  },
  Message: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    seq: "integer",
    role: "text",
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
    toolStatus: "text",
    data: "text",
  },
  Todo: {
    tenantID: "text",
    id: "text",
    number: "integer",
    sessionID: "text",
    rootID: "text",
    status: "text",
    rank: "integer",
    position: "integer",
    agent: "text",
    updated: "number",
    data: "text",
  },
  TodoChange: { tenantID: "text", id: "text", todoID: "text", sessionID: "text", at: "number", data: "text" },
  Task: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    parentID: "text",
    sessionID: "text",
    seq: "integer",
    number: "integer",
    state: "text",
    worktree: "text",
    created: "number",
    data: "text",
  },
  Turn: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    seq: "integer",
    status: "text",
    epoch: "integer",
    created: "number",
    data: "text",
  },
  PermissionRequest: {
    tenantID: "text",
    id: "text",
    rootID: "text",
    sessionID: "text",
    seq: "integer",
    status: "text",
    created: "number",
    data: "text",
  },
  PermissionGrant: { tenantID: "text", id: "text", rootID: "text", createdAt: "number", data: "text" },
  Share: { tenantID: "text", id: "text", rootID: "text", secretHash: "text", created: "number", data: "text" },
  ConfigTrust: { tenantID: "text", hash: "text", directory: "text", trusted: "number", data: "text" },
  Memory: {
    tenantID: "text",
    id: "text",
    number: "integer",
    projectID: "text",
    sessionID: "text",
    type: "text",
    tags: "text",
    invalidated: "boolean",
    created: "number",
    data: "text",
  },
  Schedule: {
    tenantID: "text",
    id: "text",
    number: "integer",
    projectID: "text",
    status: "text",
    nextFireAt: "number",
    created: "number",
    data: "text",
  },
  ScheduleRun: {
    tenantID: "text",
    id: "text",
    scheduleID: "text",
    status: "text",
    startedAt: "number",
    data: "text",
  },
  ApiToken: { tenantID: "text", id: "text", tokenHash: "text", created: "number", data: "text" },
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
