import type { Todo } from "../../schema/index.ts"
import type { TodoStore } from "../port.ts"
import { byRank } from "../todo-order.ts"
import { frozenCopy } from "./frozen-copy.ts"
import type { MemoryState } from "./memory-state.ts"

export function createMemoryTodos(state: MemoryState): TodoStore {
  const ofSessions = () => [...state.todos.values()].flat()
  const all = () => [...state.tenantTodos.values(), ...ofSessions()]
  const inScope = (scope: Parameters<TodoStore["find"]>[0]["scope"]): Todo[] => {
    if (scope.kind === "all") return all()
    const own = scope.kind === "session" ? (state.todos.get(scope.sessionID) ?? []) : []
    return [...state.tenantTodos.values(), ...own]
  }
  return {
    list: async (sessionID) => [...(state.todos.get(sessionID) ?? [])],
    async tree(rootID) {
      const lists = (state.treeSessions.get(rootID) ?? []).map((id) => [id, state.todos.get(id) ?? []] as const)
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
      state.tenantTodos.set(todo.id, frozenCopy(todo))
      state.todoChanges.set(change.id, frozenCopy(change))
    },
    async removeTenantWide(todoID, change) {
      state.tenantTodos.delete(todoID)
      state.todoChanges.set(change.id, frozenCopy(change))
    },
    history: async ({ todoID, sessionID, limit }) =>
      [...state.todoChanges.values()]
        .filter((change) => (todoID ?? change.todoID) === change.todoID)
        .filter((change) => sessionID === undefined || change.sessionID === sessionID)
        .sort((a, b) => b.at - a.at || (a.id > b.id ? -1 : 1))
        .slice(0, limit),
  }
}
