import { roundCost, totalTokens } from "../../message/usage.ts"
import type { SearchAsk } from "../../query/index.ts"
import type { AuditEntry, Memory, ReviewVerdict, Session, SessionListItem, Task, Todo } from "../../schema/index.ts"
import { taskSummary } from "../../schema/task.ts"
import type {
  AuditQuery,
  AuditStore,
  MemoryStore,
  PermissionStore,
  Records,
  SearchPlace,
  SearchStore,
  SessionStore,
  Store,
  TaskStore,
  TodoStore,
} from "../port/index.ts"
import { memoryRecord, memoryRows } from "../record/memory.ts"
import { grantStore } from "../record/permission.ts"
import { recordPorts } from "../record/records.ts"
import { byCreation, listCursor, onlyReader, parseListCursor } from "../record/session.ts"
import { asciiLower, auditRecord, auditRows, hasAuditText } from "../record/tenant.ts"
import { byRank } from "../record/todo.ts"
import {
  documentFits,
  isSaid,
  parseSearchCursor,
  partDocument,
  type SearchDocument,
  searchCursor,
  sessionState,
  titleDocument,
} from "../search-document.ts"
import { isUndelivered } from "../task-ends.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { inMemoryRecords } from "./records.ts"
import { inMemoryReviews } from "./reviews.ts"
import { inMemorySchedules } from "./schedules.ts"
import { inMemoryShareCopies } from "./share-copies.ts"
import { createTables, rowsOf, type Tables } from "./tables.ts"
import { inMemoryTranscript } from "./transcript.ts"
import { inMemoryTrees } from "./trees.ts"
import { usageRows } from "./usage-rows.ts"
import { inMemoryWebhooks } from "./webhooks.ts"
import { inMemoryWrite } from "./write.ts"

/** A store in memory, for tests and throw-away runs. Values that it returns are frozen. */
export function createInMemoryStore(): Store {
  const tables = createTables()
  const records = inMemoryRecords(tables)
  return {
    ...recordPorts(records),
    records,
    write: inMemoryWrite(tables),
    feed: {
      head: async (rootID) => (tables.sessions.has(rootID) ? (tables.heads.get(rootID) ?? 0) : null),
      heads: async (rootIDs) => new Map([...tables.heads].filter(([rootID]) => rootIDs.includes(rootID))),
      async changesSince(rootID, seq, limit) {
        return (tables.logs.get(rootID)?.since(seq, limit) ?? []).map((change) => {
          if (change.kind === "part") return { ...change, quiet: false }
          if (change.kind !== "session") return change
          return { ...change, created: (tables.sessions.get(change.value.id)?.createdSeq ?? 0) > seq }
        })
      },
    },
    session: inMemorySessions(tables),
    tree: inMemoryTrees(tables),
    transcript: inMemoryTranscript(tables),
    search: inMemorySearch(tables),
    todo: inMemoryTodos(tables),
    task: inMemoryTasks(tables),
    memory: inMemoryMemories(tables, records),
    review: inMemoryReviews(tables, records),
    permission: { ...createPermissions(tables), ...grantStore(records) },
    turn: {
      get: async (id) => tables.turns.get(id) ?? null,
      open: async ({ sessionID, rootID } = {}) =>
        [...tables.openTurns.values()]
          .filter((turn) => sessionID === undefined || turn.sessionID === sessionID)
          .filter((turn) => rootID === undefined || turn.rootID === rootID)
          .sort(oldestFirst),
      tree: async (rootID) => [...tables.turns.values()].filter((turn) => turn.rootID === rootID).sort(oldestFirst),
    },
    shareCopy: inMemoryShareCopies(tables),
    audit: inMemoryAudit(tables, records),
    schedule: inMemorySchedules(tables, records),
    webhook: inMemoryWebhooks(tables, records),
    close: async () => {},
  }
}

function createPermissions(tables: Tables): Pick<PermissionStore, "get" | "pending" | "answered" | "since"> {
  return {
    get: async (id) => tables.permissions.get(id) ?? null,
    pending: async (rootID) =>
      [...tables.pendingPermissions.values()]
        .filter((request) => rootID === undefined || request.rootID === rootID)
        .sort(oldestFirst),
    answered: async (sessionID, limit) =>
      [...tables.permissions.values()]
        .filter((request) => request.sessionID === sessionID && request.time.replied !== null)
        .sort((a, b) => oldestFirst(b, a))
        .slice(0, limit),
    since: async ({ projectID, since, limit }) =>
      [...tables.permissions.values()]
        .filter(({ time }) => time.created >= since)
        .filter(({ sessionID }) => tables.sessions.get(sessionID)?.value.projectID === projectID)
        .sort((a, b) => oldestFirst(b, a))
        .slice(0, limit),
  }
}

/** Of two in one moment, the one with the smaller id is older: ids ascend. */
function oldestFirst(a: { id: string; time: { created: number } }, b: { id: string; time: { created: number } }) {
  return a.time.created - b.time.created || (a.id < b.id ? -1 : 1)
}

function inMemorySessions(tables: Tables): SessionStore {
  const sessions = (ids: readonly string[] = []): Session[] =>
    ids.flatMap((id) => tables.sessions.get(id)?.value ?? []).sort(byCreation)
  return {
    get: async (id) => tables.sessions.get(id)?.value ?? null,
    async listRoots({ projectID, search, archived, limit, cursor }) {
      const after = cursor === undefined ? null : parseListCursor(cursor)
      const title = search === undefined ? "" : asciiLower(search)
      const roots: Session[] = []
      for (const { value } of tables.sessions.values()) {
        if (value.parentID !== null || (value.time.archived !== null) !== archived) continue
        if (projectID !== undefined && value.projectID !== projectID) continue
        if (!asciiLower(value.title).includes(title)) continue
        const { updated } = value.time
        const isBehindCursor =
          after === null || updated < after.updated || (updated === after.updated && value.id > after.id)
        if (!isBehindCursor) continue
        roots.push(value)
      }
      roots.sort((a, b) => b.time.updated - a.time.updated || (a.id < b.id ? -1 : 1))
      const page = roots.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page.map((session) => listItem(tables, session)),
        cursor: last && roots.length > limit ? listCursor(last.id, last.time.updated) : null,
      }
    },
    listed: async (rootIDs) =>
      sessions(rootIDs)
        .filter(({ parentID }) => parentID === null)
        .map((session) => listItem(tables, session)),
    tree: async (rootID) => sessions(tables.treeSessions.get(rootID)),
    children: async (parentID) => sessions(tables.children.get(parentID)),
    childByOrigin: async (parentID, callID) =>
      sessions(tables.children.get(parentID)).find((child) => child.origin?.callID === callID) ?? null,
    usage: async (query) => usageRows(tables, query),
    async private() {
      return [...tables.sessions.values()].flatMap(({ value }) => {
        const person = onlyReader(value)
        return person === null ? [] : { rootID: value.id, person }
      })
    },
  }
}

function listItem(tables: Tables, session: Session): SessionListItem {
  const item: SessionListItem = {
    session,
    running: 0,
    needsYou: 0,
    reviews: 0,
    treeCost: 0,
    treeTokens: 0,
    // The root is counted below, too.
    children: -1,
  }
  for (const id of tables.treeSessions.get(session.id) ?? []) {
    const value = tables.sessions.get(id)?.value
    if (!value) continue
    if (value.status.type !== "idle") item.running++
    item.treeCost = roundCost(item.treeCost + value.cost)
    item.treeTokens += totalTokens(value.tokens)
    item.children++
  }
  for (const request of tables.pendingPermissions.values()) if (request.rootID === session.id) item.needsYou++
  for (const task of tables.tasks.values())
    if (task.rootID === session.id && task.state === "awaiting_review") item.reviews++
  item.needsYou += item.reviews
  return item
}

function inMemoryTodos(tables: Tables): TodoStore {
  const ofSessions = () => [...tables.todos.values()].flat()
  const all = () => [...tables.tenantTodos.values(), ...ofSessions()]
  const inScope = (scope: Parameters<TodoStore["find"]>[0]["scope"]): Todo[] => {
    if (scope.kind === "all") return all()
    const own = scope.kind === "session" ? (tables.todos.get(scope.sessionID) ?? []) : []
    return [...tables.tenantTodos.values(), ...own]
  }
  return {
    list: async (sessionID) => [...(tables.todos.get(sessionID) ?? [])],
    async tree(rootID) {
      const lists = (tables.treeSessions.get(rootID) ?? []).map((id) => [id, tables.todos.get(id) ?? []] as const)
      return Object.fromEntries(lists.filter(([, list]) => list.length > 0))
    },
    get: async (id) => all().find((todo) => todo.id === id) ?? null,
    byNumber: async (number) => all().find((todo) => todo.number === number) ?? null,
    find: async ({ scope, status, agent, limit }) =>
      inScope(scope)
        .filter((todo) => (status === undefined || todo.status === status) && (agent ?? todo.agent) === todo.agent)
        .sort(byRank)
        .slice(0, limit),
    async putTenantWide(todo, change) {
      tables.tenantTodos.set(todo.id, frozenCopy(todo))
      tables.todoChanges.set(change.id, frozenCopy(change))
    },
    async removeTenantWide(todoID, change) {
      tables.tenantTodos.delete(todoID)
      tables.todoChanges.set(change.id, frozenCopy(change))
    },
    history: async ({ todoID, sessionID, limit }) =>
      [...tables.todoChanges.values()]
        .filter((change) => (todoID ?? change.todoID) === change.todoID)
        .filter((change) => sessionID === undefined || change.sessionID === sessionID)
        .sort((a, b) => b.at - a.at || (a.id > b.id ? -1 : 1))
        .slice(0, limit),
  }
}

function inMemoryTasks(tables: Tables): TaskStore {
  const where = (matches: (task: Task) => boolean) => [...tables.tasks.values()].filter(matches).sort(byNumber)
  const ofTree = (rootID: string) => where((task) => task.rootID === rootID)
  return {
    get: async (id) => tables.tasks.get(id) ?? null,
    byChild: async (sessionID) => where((task) => task.sessionID === sessionID).at(-1) ?? null,
    byNumber: async (rootID, number) => ofTree(rootID).find((task) => task.number === number) ?? null,
    tree: async (rootID) => ofTree(rootID).map(taskSummary),
    open: async (rootID) =>
      where(
        (task) => (rootID ?? task.rootID) === task.rootID && (task.state === "queued" || task.state === "running"),
      ).sort(oldestFirst),
    held: async () => where((task) => task.state === "awaiting_review").sort(oldestFirst),
    undelivered: async (rootID) =>
      where((task) => (rootID ?? task.rootID) === task.rootID && isUndelivered(task)).sort(oldestFirst),
    withWorktree: async () => ({
      tasks: where((task) => ["active", "ready", "conflict"].includes(task.worktree?.state ?? "")),
      unread: 0,
    }),
  }
}

function byNumber(a: Task, b: Task): number {
  return a.number - b.number || (a.id < b.id ? -1 : 1)
}

function inMemoryMemories(tables: Tables, records: Records): MemoryStore {
  return {
    ...memoryRows(records),
    put: (memory) => records.put(memoryRecord, [memory]),
    list: async ({ projectID, sessionID, types, tag, all, limit }) =>
      [...rowsOf(tables, memoryRecord).values()]
        .filter((memory) => isVisible(memory, projectID, sessionID))
        .filter((memory) => all === true || memory.invalidatedAt === null)
        .filter((memory) => types?.includes(memory.type) ?? true)
        .filter((memory) => tag === undefined || memory.tags.includes(tag))
        .sort((a, b) => b.time.created - a.time.created || (a.id > b.id ? -1 : 1))
        .slice(0, limit),
  }
}

/** Whether a list for this project and session contains the entry, see `MemoryStore.list`. */
function isVisible(memory: Memory, projectID: string | undefined, sessionID: string | undefined): boolean {
  if (memory.sessionID === null && memory.projectID === null) return true
  if (memory.sessionID !== null && sessionID !== undefined) return memory.sessionID === sessionID
  if (projectID !== undefined) return memory.projectID === projectID
  return sessionID === undefined
}

/** Without an index: everything is looked at. */
function inMemorySearch(tables: Tables): SearchStore {
  const session = (id: string) => tables.sessions.get(id)?.value
  const isFound = (ask: SearchAsk, document: SearchDocument): boolean => {
    const [own, root] = [session(document.sessionID), session(document.rootID)]
    if (!own || !root) return false
    const isArchived = own.time.archived !== null || root.time.archived !== null
    if (isArchived || !isSaid(document, root)) return false
    return documentFits(ask, document) && sessionFits(tables, ask, { document, session: own })
  }
  return {
    async find({ ask, limit, cursor }) {
      const from = cursor === undefined ? null : parseSearchCursor(cursor)
      const all = documents(tables)
        .filter((document) => isFound(ask, document))
        .filter((place) => from === null || place.at < from.at || (place.at === from.at && place.id < from.id))
        .sort((a, b) => b.at - a.at || (a.id > b.id ? -1 : 1))
      const found = all.slice(0, limit).map(toPlace)
      const last = found.at(-1)
      return { found, next: all.length > limit && last ? searchCursor(last) : null }
    },
    index: async () => false,
    progress: async () => ({ indexed: 0, all: 0 }),
  }
}

function documents(tables: Tables): SearchDocument[] {
  const titles = [...tables.sessions.values()].map(({ value }) => titleDocument(value))
  const parts = [...tables.parts.values()].flatMap((part) => {
    const message = tables.messages.get(part.messageID)
    const session = tables.sessions.get(part.sessionID)?.value
    return (message && session && partDocument(part, message, session.rootID)) ?? []
  })
  return [...titles, ...parts]
}

function sessionFits(
  tables: Tables,
  { costFrom, costTo, states, verdicts }: SearchAsk,
  { document, session }: { document: SearchDocument; session: Session },
): boolean {
  if (costFrom !== null && session.cost < costFrom) return false
  if (costTo !== null && session.cost > costTo) return false
  const state = document.state ?? sessionState(session)
  const isInState = state !== null && states.includes(state)
  if (states.length > 0 && !isInState) return false
  const standing = [...tables.verdicts.values()].filter(
    (verdict) => verdict.sessionID === session.id && stands(tables, verdict),
  )
  return verdicts.length === 0 || standing.some(({ verdict }) => verdicts.includes(verdict))
}

/** Whether it is the newest verdict of its person on the task that is not withdrawn. */
function stands(tables: Tables, { id, taskID, by, time }: ReviewVerdict): boolean {
  if (time.withdrawn !== null) return false
  return ![...tables.verdicts.values()].some(
    (other) =>
      other.taskID === taskID && other.by.person === by.person && other.time.withdrawn === null && other.id > id,
  )
}

function toPlace({ id, kind, at, rootID, sessionID, messageID }: SearchDocument): SearchPlace {
  return { id, kind, at, rootID, sessionID, messageID }
}

function inMemoryAudit(tables: Tables, records: Records): AuditStore {
  return {
    ...auditRows(records),
    async read(query) {
      const fitting = [...rowsOf(tables, auditRecord).values()].filter((entry) => fits(entry, query))
      return fitting.sort((a, b) => (a.id > b.id ? -1 : 1)).slice(0, query.limit)
    },
  }
}

function fits(entry: AuditEntry, { person, act, since, until, text, before }: AuditQuery): boolean {
  if (person !== undefined && entry.person?.id !== person) return false
  if (act !== undefined && entry.act !== act) return false
  if (entry.at < (since ?? 0) || entry.at >= (until ?? Number.POSITIVE_INFINITY)) return false
  if (before !== undefined && entry.id >= before) return false
  return text === undefined || hasAuditText(entry, text)
}
