import type { Store } from "../../ground/store/index.ts"
import type { ProposedTodo } from "./todo-service.ts"

/** Open todos of each status that are looked through. */
const maxOpen = 1_000

/** The open todos that tasks propose as done, of lists that are not archived. */
export async function proposedTodos(deps: {
  store: Pick<Store["todo"], "find">
  sessions: Pick<Store["session"], "get">
}): Promise<ProposedTodo[]> {
  const scope = { kind: "all" } as const
  const open = await Promise.all(
    (["in_progress", "pending"] as const).map((status) => deps.store.find({ scope, status, limit: maxOpen })),
  )
  const proposed = open.flat().filter((todo) => todo.proposed !== null)
  const placed = await Promise.all(
    proposed.map(async (todo) => {
      if (todo.sessionID === null) return [{ todo, rootID: null }]
      const session = await deps.sessions.get(todo.sessionID)
      return session === null || session.time.archived !== null ? [] : [{ todo, rootID: session.rootID }]
    }),
  )
  return placed.flat().sort((a, b) => (b.todo.proposed?.at ?? 0) - (a.todo.proposed?.at ?? 0))
}
