import type { Todo, TodoInput } from "../../ground/schema/index.ts"
import type { TodoService } from "../../records/todo/todo-service.ts"
import type { ProgramPlanEntry } from "./agent-programs.ts"

interface ProgramTodosDeps {
  todos: Pick<TodoService, "write" | "list">
  clock(): number
  onError(error: unknown): void
}

/** Keeps the todos of a session as the plan of its program. */
export interface ProgramTodos {
  put(entries: readonly ProgramPlanEntry[], messageID: string): void
  /** Resolves when all plans are stored. */
  settled(): Promise<void>
}

/** The most entries of a plan that become todos, and characters of one. */
const most = { entries: 200, content: 2_000 } as const

/**
 * Entries have no ids, and programs reword them when their status changes: an entry is the todo that stood at its place in
 * the plan before.
 */
export function createProgramTodos(
  { todos, clock, onError }: ProgramTodosDeps,
  { sessionID, agent }: { sessionID: string; agent: string },
): ProgramTodos {
  /** The todos of the last plan, in its order; null before the first. */
  let places: string[] | null = null
  let seenAt = 0
  const own = new Set<string>()
  let storing = Promise.resolve()
  const store = async (entries: readonly ProgramPlanEntry[], messageID: string) => {
    const before: string[] = places ?? (await todos.list(sessionID)).map(({ id }) => id)
    const items = entries
      .slice(0, most.entries)
      .map(({ content, status, priority }, at): TodoInput => {
        const id = before[at]
        return { ...(id !== undefined && { id }), content: content.trim().slice(0, most.content), status, priority }
      })
      .filter(({ content }) => content !== "")
    own.add(messageID)
    const baseline = { at: seenAt, partID: null, isOwn: (id: string | null) => id !== null && own.has(id) }
    const origin = { actor: { kind: "agent", name: agent }, messageID } as const
    const written = await todos.write(sessionID, items, origin, baseline)
    seenAt = clock()
    places = placesOf(items, written.todos)
  }
  return {
    put(entries, messageID) {
      storing = storing.then(() => store(entries, messageID)).catch(onError)
    },
    settled: () => storing,
  }
}

/** The ids of the stored todos, in the order of the plan. */
function placesOf(items: readonly TodoInput[], stored: readonly Todo[]): string[] {
  const left = [...stored]
  return items.flatMap(({ id, content }) => {
    const at = left.findIndex((todo) => (id === undefined ? todo.content === content : todo.id === id))
    return at < 0 ? [] : left.splice(at, 1).map((todo) => todo.id)
  })
}
