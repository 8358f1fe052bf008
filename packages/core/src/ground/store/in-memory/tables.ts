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
import { type AnyRecord, type Cell, cellsOf, type ValueOf } from "../record/define-record.ts"
import { commentRecord, threadRecord, verdictRecord, viewedRecord } from "../record/review.ts"
import { todoChangeRecord } from "../record/todo.ts"
import { taskRecord } from "../record/turn.ts"

interface SessionRow {
  value: Session
  createdSeq: number
}

/** The tables that commits write to, and those of records. Id lists are ascending. */
export interface Tables {
  /** Values by their keys, by the name of their record: see `rowsOf`. */
  rows: Map<string, Map<string, object>>
  /** Newest sequence number of each tree that was ever here. */
  heads: Map<string, number>
  /** Of each tree that is here. */
  places: Map<string, string>
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
    places: new Map(),
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
  if (change.kind === "todos") return tables.sessions.has(change.sessionID)
  if (!("value" in change)) return true
  const rows: Record<typeof change.kind, { has(id: string): boolean }> = {
    session: tables.sessions,
    message: tables.messages,
    part: tables.parts,
    permission: tables.permissions,
    turn: tables.turns,
    task: tables.tasks,
    thread: tables.threads,
    comment: tables.comments,
    verdict: tables.verdicts,
    viewed: tables.viewed,
  }
  return rows[change.kind].has(change.value.id)
}

/** The rows of a record by key, with an index of its unique columns: such a row is found without a scan. */
class RecordRows<R extends AnyRecord> extends Map<string, ValueOf<R>> {
  readonly #record: R
  readonly #keys: Map<string, string>

  constructor(record: R) {
    super()
    this.#record = record
    this.#keys = new Map()
  }

  override set(key: string, value: ValueOf<R>): this {
    this.#forget(key)
    for (const columns of this.#record.unique) this.#keys.set(this.#textOf(columns, value), key)
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    this.#forget(key)
    return super.delete(key)
  }

  /** The key of the row whose values in these columns equal those of `value`. */
  keyWithSame(columns: readonly string[], value: ValueOf<R>): string | undefined {
    return this.#keys.get(this.#textOf(columns, value))
  }

  #forget(key: string): void {
    const value = this.get(key)
    if (value !== undefined) for (const columns of this.#record.unique) this.#keys.delete(this.#textOf(columns, value))
  }

  #textOf(columns: readonly string[], value: ValueOf<R>): string {
    const cells: Record<string, Cell> = cellsOf(this.#record, value)
    return JSON.stringify([columns, columns.map((name) => cells[name])])
  }
}

/** The newest change of each row of a tree, in sequence order. */
interface TreeLog {
  append(change: Change): void
  since(seq: number, limit: number): Change[]
  clear(): void
}

/** @param alive says whether the row of a change still exists; changes of rows that are gone are left out. */
function createTreeLog(alive: (change: Change) => boolean): TreeLog {
  const latest = new Map<string, Change>()
  let entries: Change[] = []
  const current = (change: Change) => latest.get(rowKey(change)) === change && alive(change)

  const compact = () => {
    entries = entries.filter(current)
    latest.clear()
    for (const change of entries) latest.set(rowKey(change), change)
  }
  return {
    append(change) {
      latest.set(rowKey(change), change)
      entries.push(change)
      if (entries.length > 2 * latest.size + 64) compact()
    },
    since(seq, limit) {
      const found: Change[] = []
      for (let i = firstAfter(entries, seq); i < entries.length && found.length < limit; i++) {
        const change = entries[i]
        if (change && current(change)) found.push(change)
      }
      return found
    },
    clear() {
      entries = []
      latest.clear()
    },
  }
}

function rowKey(change: Change): string {
  switch (change.kind) {
    case "todos":
    case "session.removed":
      return `${change.kind}:${change.sessionID}`
    case "message.removed":
      return `${change.kind}:${change.messageID}`
    case "part.removed":
      return `${change.kind}:${change.partID}`
    default:
      return `${change.kind}:${change.value.id}`
  }
}

function firstAfter(entries: readonly Change[], seq: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}
