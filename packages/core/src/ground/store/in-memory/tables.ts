import type {
  Message,
  Part,
  PermissionRequest,
  ReviewComment,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Session,
  Share,
  Task,
  Todo,
  TodoChange,
  Turn,
} from "../../schema/index.ts"
import type { Change, PermissionGrant } from "../port/index.ts"
import { createTreeLog, type TreeLog } from "./tree-log.ts"

export interface SessionRow {
  value: Session
  createdSeq: number
}

/** A row that goes with its session; null for one of no session. */
interface OwnedRow {
  id: string
  sessionID: string | null
}

/** The tables that commits write to, and those whose rows go with a session. Id lists are ascending. */
export interface Tables {
  /** Of rows that go with their session, also those that a port keeps to itself: see `ownedRows`. */
  owned: Map<string, OwnedRow>[]
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
  grants: Map<string, PermissionGrant[]>
  shares: Map<string, Share>
  /** The last number taken, by what it counts. */
  counters: Map<string, number>
}

export function createTables(): Tables {
  const tasks: Tables["tasks"] = new Map()
  const todoChanges: Tables["todoChanges"] = new Map()
  const reviews = { threads: new Map(), comments: new Map(), verdicts: new Map(), viewed: new Map() }
  return {
    ...reviews,
    owned: [tasks, todoChanges, ...Object.values(reviews)],
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
    todoChanges,
    tasks,
    permissions: new Map(),
    sessionPermissions: new Map(),
    pendingPermissions: new Map(),
    turns: new Map(),
    sessionTurns: new Map(),
    openTurns: new Map(),
    grants: new Map(),
    shares: new Map(),
    counters: new Map(),
  }
}

/** A table of a port's own, whose rows are removed with their session. */
export function ownedRows<Row extends OwnedRow>(tables: Tables): Map<string, Row> {
  const rows = new Map<string, Row>()
  tables.owned.push(rows)
  return rows
}

/** Takes `count` numbers and answers with the first. */
export function reserveNumbers(tables: Tables, counter: "todo" | "memory" | "schedule", count: number): number {
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
