import type { CreateId } from "../../ground/id/create-id.ts"
import type { Todo, TodoInput } from "../../ground/schema/index.ts"
import { changeTodo } from "./change-todo.ts"
import { requireAcyclic, requireUnblocked, resolveDependencies, type TodoLookup } from "./dependencies.ts"
import { matchTodos } from "./match-todos.ts"
import { newTodo } from "./new-todo.ts"

export interface ReplacementDeps {
  createID: CreateId
  /** Reserves todo numbers and returns the first. */
  reserveNumbers(count: number): Promise<number>
  /** A tenant-wide item by id or number. */
  tenantWide(ref: string | number): Promise<Todo | null>
}

/**
 * The list that results when `items` replace `stored`: matched items keep id, number, owner, times and
 * what an item leaves out. Dependencies on items that are gone are dropped.
 * @throws todo_not_found, todo_cycle, todo_blocked; numbers may be reserved in vain then
 */
export async function replaceTodos(
  deps: ReplacementDeps,
  given: { sessionID: string; stored: Todo[]; items: TodoInput[]; agent: string | null; now: number },
): Promise<Todo[]> {
  const { sessionID, stored, items, agent, now } = given
  const matched = matchTodos(stored, items)
  const added = matched.filter((pair) => pair.stored === null).length
  let number = added === 0 ? 0 : await deps.reserveNumbers(added)
  const bases = matched.map((pair, position) => {
    const { content } = pair.item
    return (
      pair.stored ?? newTodo({ id: deps.createID("todo"), number: number++, sessionID, content, position, agent, now })
    )
  })
  // Contents are those of the new list, so that a call can name its own new items.
  const renamed = bases.map((base, index) => ({ ...base, content: items[index]?.content ?? base.content }))
  const ids = new Set(bases.map((base) => base.id))
  const gone = new Set(stored.filter((todo) => !ids.has(todo.id)).map((todo) => todo.id))
  const list: Todo[] = []
  for (const [position, base] of bases.entries()) {
    const item = items[position]
    if (item === undefined) continue
    const { id: _, dependsOn, ...fields } = item
    const named = dependsOn === undefined ? null : await resolveDependencies(dependsOn, renamed, deps.tenantWide)
    const kept = named ?? base.dependsOn.filter((id) => !gone.has(id))
    list.push(changeTodo(base, { ...fields, position, dependsOn: kept }, now))
  }
  await checkList(list, stored, deps.tenantWide)
  return list
}

async function checkList(list: Todo[], stored: Todo[], tenantWide: TodoLookup): Promise<void> {
  const items = new Map(list.map((todo) => [todo.id, todo]))
  const before = new Map(stored.map((todo) => [todo.id, todo]))
  const lookup: TodoLookup = async (id) => items.get(id) ?? (await tenantWide(id))
  for (const todo of list) {
    if (todo.dependsOn.length === 0) continue
    await requireAcyclic(todo, lookup)
    const started = todo.status === "in_progress" && before.get(todo.id)?.status !== "in_progress"
    if (started) await requireUnblocked(todo, lookup)
  }
}
