import type { Todo, TodoChange } from "@docket/core/schema"
import { type TodoStore, todoRank } from "@docket/core/store"
import { shapes } from "../row/row-shapes.ts"
import { columnText, todoChangeRow, todoRow } from "../row/rows.ts"
import { storedList } from "../row/stored.ts"
import type { Client } from "../sql/database.ts"
import { todoList, todoListsOfTree } from "../tree/todo-lists.ts"
import { oneRow } from "./one-row.ts"
import { maxInt, type StoreScope } from "./store-scope.ts"
import { todoHistory } from "./turn-reads.ts"

type TodoQuery = Parameters<TodoStore["find"]>[0]

export function todoStore(scope: StoreScope): TodoStore {
  const { tenantID, read, write } = scope
  return {
    // As a commit and the feed read them, so that all use the lists that are known.
    list: (sessionID) => read(todoList(scope, sessionID)),
    tree: (rootID) => read(todoListsOfTree(scope, rootID)),
    get: (id) => oneRow(scope, shapes.Todo, "id", id),
    byNumber: async (number) => (number > maxInt ? null : oneRow(scope, shapes.Todo, "number", number)),
    find: (query) => findTodos(scope, query),
    async putTenantWide(value, change) {
      const row = todoRow(tenantID, null, value)
      const where = { tenantID_id: { tenantID, id: value.id } }
      const put = (client: Client) => client.todo.upsert({ where, create: row, update: row, select: { id: true } })
      await write((client) => client.$transaction([put(client), note(client, tenantID, change)]))
    },
    async removeTenantWide(id, change) {
      const where = { tenantID, id, sessionID: null }
      await write((client) => client.$transaction([client.todo.deleteMany({ where }), note(client, tenantID, change)]))
    },
    history: (query) => read(todoHistory(scope, query)),
  }
}

/** Notes who changed what. */
function note({ todoChange }: Client, tenantID: string, change: TodoChange) {
  const row = todoChangeRow(tenantID, change)
  const where = { tenantID_id: { tenantID, id: change.id } }
  return todoChange.upsert({ where, create: row, update: row, select: { id: true } })
}

/** Each query reads an index in the order of the listing and stops at the limit. */
async function findTodos(scope: StoreScope, { scope: of, status, agent, limit }: TodoQuery): Promise<Todo[]> {
  const { tenantID, read } = scope
  const common = {
    tenantID,
    ...(status !== undefined && { rank: todoRank(status) }),
    ...(agent !== undefined && { agent: columnText(agent) }),
  }
  const select = (more: { sessionID?: string | null }) =>
    read(({ todo }) =>
      todo.findMany({
        where: { ...common, ...more },
        orderBy: [{ rank: "asc" }, { position: "asc" }, { updated: "desc" }, { id: "asc" }],
        take: limit,
        select: { data: true, rank: true, position: true, updated: true, id: true },
      }),
    )
  switch (of.kind) {
    case "all":
      return storedList(scope, shapes.Todo, await select({}))
    case "tenant":
      return storedList(scope, shapes.Todo, await select({ sessionID: null }))
    case "session": {
      const [own, tenantWide] = await Promise.all([select({ sessionID: of.sessionID }), select({ sessionID: null })])
      return storedList(scope, shapes.Todo, [...own, ...tenantWide].sort(inOrder).slice(0, limit))
    }
    default:
      return of satisfies never
  }
}

type Ranked = Pick<ReturnType<typeof todoRow>, "rank" | "position" | "updated" | "id">

function inOrder(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || a.position - b.position || b.updated - a.updated || (a.id < b.id ? -1 : 1)
}
