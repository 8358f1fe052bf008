import type { Journal } from "../event/journal.ts"
import type { CreateId } from "../id/create-id.ts"
import type { Session, Todo, TodoInput } from "../schema/index.ts"
import type { Store } from "../store/index.ts"

export interface TodoListsDeps {
  store: Pick<Store, "todo" | "write">
  journal: Journal
  createID: CreateId
  clock: () => number
}

/** A session's todo list. Every write emits `todo.updated` with the whole list. */
export interface TodoLists {
  list(sessionID: string): Promise<Todo[]>
  /** Replaces the list; items keep id, number and times when they match by id, else by exact content. */
  replace(session: Pick<Session, "id" | "rootID">, items: TodoInput[], agent: string | null): Promise<Todo[]>
}

export function createTodoLists(deps: TodoListsDeps): TodoLists {
  return {
    list: (sessionID) => deps.store.todo.list(sessionID),
    async replace(session, items, agent) {
      const matched = matchTodos(await deps.store.todo.list(session.id), items)
      const added = matched.filter(({ stored }) => stored === null).length
      let number = added === 0 ? 0 : await deps.store.write.reserveTodoNumbers(added)
      const now = deps.clock()
      const value = matched.map(({ stored, item }, position): Todo => {
        const base = stored ?? {
          id: deps.createID("todo"),
          number: number++,
          sessionID: session.id,
          description: "",
          agent,
          time: { created: now, updated: now, completed: null },
        }
        return mergeTodo(base, item, position, now)
      })
      await deps.journal.commit(session.rootID, [{ kind: "todos", sessionID: session.id, value }])
      return value
    },
  }
}

type StoredTodo = Omit<Todo, "content" | "status" | "priority" | "position"> & Partial<Todo>

/** Applies the new fields. `completed` is stamped on the way into a terminal status and cleared on reopening. */
function mergeTodo(base: StoredTodo, item: TodoInput, position: number, now: number): Todo {
  const { content, status, priority } = item
  const same =
    base.content === content && base.status === status && base.priority === priority && base.position === position
  const terminal = status === "completed" || status === "cancelled"
  const completed = terminal ? (base.time.completed ?? now) : null
  return {
    ...base,
    content,
    status,
    priority,
    position,
    time: { ...base.time, updated: same ? base.time.updated : now, completed },
  }
}

/** Finds the stored item of each new one: by id first, then by exact content. No stored item serves twice. */
export function matchTodos<Item extends { id?: string | undefined; content: string }>(
  stored: Todo[],
  items: Item[],
): { stored: Todo | null; item: Item }[] {
  const free = new Map(stored.map((todo) => [todo.id, todo]))
  const take = (todo: Todo | undefined): Todo | null => {
    if (todo === undefined || !free.delete(todo.id)) return null
    return todo
  }
  const byID = items.map((item) => (item.id === undefined ? null : take(free.get(item.id))))
  return items.map((item, index) => ({
    item,
    stored: byID[index] ?? take([...free.values()].find((todo) => todo.content === item.content)),
  }))
}
