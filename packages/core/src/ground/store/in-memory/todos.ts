import type { Todo } from "../../schema/index.ts"
import type { TodoStore } from "../port/index.ts"
import { byRank } from "../todo-order.ts"
import { frozenCopy } from "./frozen-copy.ts"
import type { Tables } from "./tables.ts"

export function inMemoryTodos(tables: Tables): TodoStore {
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
