import type {
  Message,
  Part,
  PermissionRequest,
  ReviewComment,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Session,
  Task,
  Todo,
  TodoChange,
  Turn,
} from "../../schema/index.ts"
import type { Change } from "../port/index.ts"
import type { AnyRecord } from "../record/define-record.ts"
import { commentRecord, threadRecord, verdictRecord, viewedRecord } from "../record/review.ts"
import { todoChangeRecord } from "../record/todo.ts"
import { taskRecord } from "../record/turn.ts"
import { RecordRows } from "./record-rows.ts"
import { createTreeLog, type TreeLog } from "./tree-log.ts"

export interface SessionRow {
  value: Session
  createdSeq: number
}

/** The tables that commits write to, and those of records. Id lists are ascending. */
export interface Tables {
  /** Values by their keys, by the name of their record: see `rowsOf`. */
  rows: Map<string, Map<string, object>>
  /** Newest sequence number of each tree that was ever here. */
  heads: Map<string, number>
  logs: Map<string, TreeLog>
  sessions: Map<string, SessionRow>
  /** Session ids by root. */
  treeSessions: Map<string, string[]>
  /** Session ids by parent. */
  children: Map<string, string[]>
  messages: Map<string, Message>
  sessionMessages: Map<string, string[]>
  parts: Map<string, Part>
  messageParts: Map<string, string[]>
  /** The lists of sessions, by position. */
  todos: Map<string, Todo[]>
  tenantTodos: Map<string, Todo>
  todoChanges: Map<string, TodoChange>
  tasks: Map<string, Task>
  threads: Map<string, ReviewThread>
  comments: Map<string, ReviewComment>
  verdicts: Map<string, ReviewVerdict>
  viewed: Map<string, ReviewViewed>
  permissions: Map<string, PermissionRequest>
  sessionPermissions: Map<string, string[]>
  pendingPermissions: Map<string, PermissionRequest>
  turns: Map<string, Turn>
  sessionTurns: Map<string, string[]>
  /** Queued and running turns. */
  openTurns: Map<string, Turn>
  /** The last number taken, by what it counts. */
  counters: Map<string, number>
}

export function createTables(): Tables {
  const rows: Tables["rows"] = new Map()
  return {
    rows,
    todoChanges: rowsOf({ rows }, todoChangeRecord),
    tasks: rowsOf({ rows }, taskRecord),
    threads: rowsOf({ rows }, threadRecord),
    comments: rowsOf({ rows }, commentRecord),
    verdicts: rowsOf({ rows }, verdictRecord),
    viewed: rowsOf({ rows }, viewedRecord),
    heads: new Map(),
    logs: new Map(),
    sessions: new Map(),
    treeSessions: new Map(),
    children: new Map(),
    messages: new Map(),
    sessionMessages: new Map(),
    parts: new Map(),
    messageParts: new Map(),
    todos: new Map(),
    tenantTodos: new Map(),
    permissions: new Map(),
    sessionPermissions: new Map(),
    pendingPermissions: new Map(),
    turns: new Map(),
    sessionTurns: new Map(),
    openTurns: new Map(),
    counters: new Map(),
  }
}

/** The table of a record, made on first use. */
export function rowsOf<R extends AnyRecord>({ rows }: Pick<Tables, "rows">, record: R): RecordRows<R> {
  const table = rows.get(record.name) ?? new RecordRows(record)
  rows.set(record.name, table)
  // A record has one name, and its table holds its values alone.
  return table as RecordRows<R>
}

/** Takes `count` numbers and answers with the first. */
export function reserveNumbers(tables: Tables, counter: string, count: number): number {
  const last = tables.counters.get(counter) ?? 0
  tables.counters.set(counter, last + count)
  return last + 1
}

/** The tree's log; made on first use. */
export function treeLog(tables: Tables, rootID: string): TreeLog {
  const found = tables.logs.get(rootID)
  if (found) return found
  const log = createTreeLog((change) => isAlive(tables, change))
  tables.logs.set(rootID, log)
  return log
}

function isAlive(tables: Tables, change: Change): boolean {
  switch (change.kind) {
    case "session":
      return tables.sessions.has(change.value.id)
    case "todos":
      return tables.sessions.has(change.sessionID)
    case "message":
      return tables.messages.has(change.value.id)
    case "part":
      return tables.parts.has(change.value.id)
    case "permission":
      return tables.permissions.has(change.value.id)
    case "turn":
      return tables.turns.has(change.value.id)
    case "task":
      return tables.tasks.has(change.value.id)
    case "thread":
      return tables.threads.has(change.value.id)
    case "comment":
      return tables.comments.has(change.value.id)
    case "verdict":
      return tables.verdicts.has(change.value.id)
    case "viewed":
      return tables.viewed.has(change.value.id)
    case "session.removed":
    case "message.removed":
    case "part.removed":
      return true
    default:
      return change satisfies never
  }
}
