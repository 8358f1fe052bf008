import type { Todo } from "@docket/core/schema"
import { type Change, changedList, MissingParentError, type Mutation, records } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { type Program, query, upsert } from "../sql/program.ts"
import type { KnownList } from "./known-lists.ts"
import type { Numbered } from "./numbered.ts"
import type { Scope } from "./scope.ts"
import { readLists, unchangedLists } from "./todo-lists.ts"

type TodoMutation = Extract<Mutation, { kind: "todos" | "todo" | "todo.remove" }>

/** The effect of the mutations on the list of one session. */
interface ListWrite {
  rootID: string
  seq: number
  /** The readable items of the stored list; unreadable ones are left untouched. */
  stored: readonly Todo[]
  list: Todo[]
  replaced: boolean
  /** Ids of the items to write or delete, when the list is not replaced. */
  touched: Set<string>
}

/**
 * Writes replaced lists and single items: applies the mutations to each session's list in order and writes the changed
 * items.
 */
export function* writeTodos(scope: Scope, mutations: Numbered[]): Program<Map<Numbered, Change[]>> {
  const changes = new Map<Numbered, Change[]>()
  const lists = yield* listsBefore(scope, mutations)
  const writes = new Map<string, ListWrite>()
  for (const numbered of mutations) {
    const { rootID, seq, mutation } = numbered
    if (!isTodoMutation(mutation)) continue
    const { sessionID } = mutation
    const stored = lists.get(sessionID)?.list ?? []
    const before = writes.get(sessionID) ?? { stored, list: stored, replaced: false, touched: new Set() }
    const list = changedList(before.list, mutation)
    if (mutation.kind !== "todos") before.touched.add(mutation.kind === "todo" ? mutation.value.id : mutation.todoID)
    writes.set(sessionID, { ...before, rootID, seq, list, replaced: before.replaced || mutation.kind === "todos" })
    changes.set(numbered, [{ rootID, seq, kind: "todos", sessionID, value: list }])
  }
  for (const [sessionID, write] of writes) yield* writeList(scope, sessionID, write)
  yield* writeHistory(scope, mutations)
  return changes
}

/** The lists that the mutations change. */
function* listsBefore(scope: Scope, mutations: Numbered[]): Program<Map<string, KnownList>> {
  const todos = mutations.map(({ mutation }) => mutation).filter(isTodoMutation)
  if (todos.length === 0) return new Map()
  const sessionIDs = [...new Set(todos.map(({ sessionID }) => sessionID))]
  const known = yield* unchangedLists(scope, sessionIDs)
  const others = sessionIDs.filter((id) => !known.has(id))
  return others.length === 0 ? known : new Map([...known, ...(yield* readLists(scope, others))])
}

function isTodoMutation(mutation: Mutation): mutation is TodoMutation {
  return mutation.kind === "todos" || mutation.kind === "todo" || mutation.kind === "todo.remove"
}

function* writeList({ tenantID, dialect }: Scope, sessionID: string, write: ListWrite): Program<void> {
  const { rootID, seq, stored, list, replaced, touched } = write
  const session = yield* query(
    `UPDATE "Session" SET "todoSeq" = $1 WHERE "tenantID" = $2 AND "id" = $3 RETURNING "id"`,
    seq,
    tenantID,
    sessionID,
  )
  if (session.length === 0) throw new MissingParentError(`there is no session ${sessionID}`)
  const { written, gone } = replaced ? difference(stored, list) : selection(list, touched)
  if (gone.length > 0) {
    yield* query(
      `DELETE FROM "Todo" WHERE "tenantID" = $1 AND "sessionID" = $2
       AND "id" IN (SELECT r."id" FROM ${dialect.jsonRows("$3", { id: "text" }, "r")})`,
      tenantID,
      sessionID,
      JSON.stringify(gone.map((id) => ({ id }))),
    )
  }
  yield* upsert(
    "Todo",
    written.map((todo) => rowOf(records.Todo, { tenantID, rootID, sessionID }, todo)),
  )
}

/** What to write and delete for a replaced list. An item that is the same object in both lists is not written. */
function difference(before: readonly Todo[], after: readonly Todo[]): { written: Todo[]; gone: string[] } {
  const known = new Map(before.map((todo) => [todo.id, todo]))
  const kept = new Set(after.map(({ id }) => id))
  return {
    written: after.filter((todo) => known.get(todo.id) !== todo),
    gone: before.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
  }
}

function selection(list: readonly Todo[], touched: Set<string>): { written: Todo[]; gone: string[] } {
  const written = list.filter(({ id }) => touched.has(id))
  const kept = new Set(written.map(({ id }) => id))
  return { written, gone: [...touched].filter((id) => !kept.has(id)) }
}

/** Writes who changed what; a change that is listed twice is written once. */
function* writeHistory({ tenantID }: Scope, mutations: Numbered[]): Program<void> {
  const changes = mutations.flatMap(({ mutation }) => {
    if (!isTodoMutation(mutation)) return []
    return mutation.kind === "todos" ? (mutation.changes ?? []) : [mutation.change]
  })
  const rows = new Map(changes.map((change) => [change.id, rowOf(records.TodoChange, { tenantID }, change)]))
  yield* upsert("TodoChange", [...rows.values()])
}
