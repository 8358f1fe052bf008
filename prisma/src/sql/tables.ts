import type {
  Counter,
  Message,
  Part,
  PermissionGrant,
  PermissionRequest,
  Project,
  Removal,
  Session,
  Share,
  Todo,
  Tree,
  Turn,
} from "../generated/sqlite/client/client.ts"

/** Rows as the Prisma models describe them. */
export interface Rows {
  Counter: Counter
  Message: Message
  Part: Part
  PermissionGrant: PermissionGrant
  PermissionRequest: PermissionRequest
  Project: Project
  Removal: Removal
  /** `todoSeq` is written by its own statement. */
  Session: Omit<Session, "todoSeq">
  Share: Share
  Todo: Todo
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
    position: "integer",
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
