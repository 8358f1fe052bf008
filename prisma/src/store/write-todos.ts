import type { Todo } from "@docket/core/schema"
import { type Change, changedList, type Mutation } from "@docket/core/store"
import { MissingParentError, type Program, query, upsert } from "../sql/program.ts"
import type { Numbered } from "./commit.ts"
import type { KnownList } from "./known-lists.ts"
import { todoChangeRow, todoRow } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { storedLists } from "./todos.ts"

type TodoMutation = Extract<Mutation, { kind: "todos" | "todo" | "todo.remove" }>

/** What the mutations do to the list of one session. */
interface ListWrite {
  rootID: string
  seq: number
  replaced: boolean
  list: Todo[]
  /** Ids of the items to write or delete, when the list is not replaced. */
  touched: Set<string>
}

/**
 * Writes replaced lists and single items: lays the mutations over each session's list in order and writes the
 * items that changed.
 */
export function* writeTodos(scope: Scope, mutations: Numbered[]): Program<Map<Numbered, Change[]>> {
  const changes = new Map<Numbered, Change[]>()
  const single = mutations.flatMap(({ mutation }) =>
    mutation.kind === "todo" || mutation.kind === "todo.remove" ? [mutation.sessionID] : [],
  )
  const lists = single.length > 0 ? yield* storedLists(scope, [...new Set(single)]) : new Map<string, KnownList>()
  const writes = new Map<string, ListWrite>()
  for (const numbered of mutations) {
    const { rootID, seq, mutation } = numbered
    if (!isTodoMutation(mutation)) continue
    const { sessionID } = mutation
    const before = writes.get(sessionID) ?? {
      list: lists.get(sessionID)?.list ?? [],
      replaced: false,
      touched: new Set(),
    }
    const list = changedList(before.list, mutation)
    if (mutation.kind !== "todos") before.touched.add(mutation.kind === "todo" ? mutation.value.id : mutation.todoID)
    writes.set(sessionID, { ...before, rootID, seq, list, replaced: before.replaced || mutation.kind === "todos" })
    changes.set(numbered, [{ rootID, seq, kind: "todos", sessionID, value: list }])
  }
  for (const [sessionID, write] of writes) yield* writeList(scope, sessionID, write)
  yield* writeHistory(scope, mutations)
  return changes
}

function isTodoMutation(mutation: Mutation): mutation is TodoMutation {
  return mutation.kind === "todos" || mutation.kind === "todo" || mutation.kind === "todo.remove"
}

function* writeList({ tenantID }: Scope, sessionID: string, write: ListWrite): Program<void> {
  const { rootID, seq, replaced, list, touched } = write
  const session = yield* query(
    `UPDATE "Session" SET "todoSeq" = $1 WHERE "tenantID" = $2 AND "id" = $3 RETURNING "id"`,
    seq,
    tenantID,
    sessionID,
  )
  if (session.length === 0) throw new MissingParentError(`there is no session ${sessionID}`)
  if (replaced) yield* query(`DELETE FROM "Todo" WHERE "tenantID" = $1 AND "sessionID" = $2`, tenantID, sessionID)
  const written = list.filter(({ id }) => replaced || touched.has(id))
  const kept = new Set(written.map(({ id }) => id))
  for (const id of touched) {
    if (replaced || kept.has(id)) continue
    yield* query(`DELETE FROM "Todo" WHERE "tenantID" = $1 AND "id" = $2 AND "sessionID" = $3`, tenantID, id, sessionID)
  }
  yield* upsert(
    "Todo",
    written.map((todo) => todoRow(tenantID, { rootID, sessionID }, todo)),
  )
}

/** Who changed what; a change that is named twice is written once. */
function* writeHistory({ tenantID }: Scope, mutations: Numbered[]): Program<void> {
  const changes = mutations.flatMap(({ mutation }) => {
    if (!isTodoMutation(mutation)) return []
    return mutation.kind === "todos" ? (mutation.changes ?? []) : [mutation.change]
  })
  const rows = new Map(changes.map((change) => [change.id, todoChangeRow(tenantID, change)]))
  yield* upsert("TodoChange", [...rows.values()])
}
