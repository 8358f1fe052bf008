import { DocketError } from "../../ground/error/docket-error.ts"
import type { Todo } from "../../ground/schema/index.ts"
import type { TodoStore } from "../../ground/store/port/index.ts"
import { isClosed } from "./is-closed.ts"

/** Finds a todo by id; null when it is gone. */
export type TodoLookup = (id: string) => Promise<Todo | null>

/**
 * Checks that a todo may be started: everything it depends on is completed, cancelled or removed.
 * @throws todo_blocked, naming the open todos
 */
export async function requireUnblocked(todo: Todo, lookup: TodoLookup): Promise<void> {
  const open: Todo[] = []
  for (const id of todo.dependsOn) {
    const dependency = await lookup(id)
    if (dependency !== null && !isClosed(dependency.status)) open.push(dependency)
  }
  if (open.length === 0) return
  const names = open.map((blocker) => `#${blocker.number} "${blocker.content}" (${blocker.status})`).join(", ")
  throw new DocketError(
    "todo_blocked",
    `#${todo.number} "${todo.content}" cannot start: it is blocked by ${names}. Complete or cancel what blocks it first, or take it out of dependsOn.`,
  )
}

/**
 * Checks that a todo does not depend on itself, directly or through others.
 * @throws todo_cycle, naming the cycle
 */
export async function requireAcyclic(todo: Todo, lookup: TodoLookup): Promise<void> {
  const seen = new Set<string>()
  const walk = async (at: Todo, path: Todo[]): Promise<Todo[] | null> => {
    for (const id of at.dependsOn) {
      if (id === todo.id) return [...path, todo]
      if (seen.has(id)) continue
      seen.add(id)
      const dependency = await lookup(id)
      const found = dependency === null ? null : await walk(dependency, [...path, dependency])
      if (found !== null) return found
    }
    return null
  }
  const circle = await walk(todo, [todo])
  if (circle === null) return
  const way = circle.map((member) => `#${member.number}`).join(" → ")
  throw new DocketError(
    "todo_cycle",
    `#${todo.number} "${todo.content}" would wait for itself: ${way}. Leave one of these dependencies out.`,
  )
}

/**
 * Turns references into ids: an id or number (`14`, `#14`) of the same list or of a tenant-wide item, or the exact
 * content of an item of the same list.
 * @throws todo_not_found for anything else
 */
export async function resolveDependencies(
  refs: string[],
  list: Todo[],
  tenantWide: (ref: string | number) => Promise<Todo | null>,
): Promise<string[]> {
  const ids = new Set<string>()
  for (const ref of refs) {
    const number = todoNumber(ref)
    const found =
      list.find((todo) => todo.id === ref || todo.number === number) ??
      list.find((todo) => todo.content === ref) ??
      (await tenantWide(number ?? ref))
    if (found === null || found === undefined) {
      throw new DocketError(
        "todo_not_found",
        `dependsOn names "${ref}", which is neither an item of this list nor a tenant-wide one. Use an id, a number or the exact content.`,
      )
    }
    ids.add(found.id)
  }
  return [...ids]
}

/** The number in `14` or `#14`, or null. */
export function todoNumber(ref: string | number): number | null {
  if (typeof ref === "number") return Number.isSafeInteger(ref) && ref > 0 ? ref : null
  const digits = /^#?(\d{1,15})$/.exec(ref.trim())?.[1]
  return digits === undefined || Number(digits) === 0 ? null : Number(digits)
}

/** A todo by id or number (`14`, `#14`). */
export async function findTodo(store: TodoStore, ref: string | number): Promise<Todo | null> {
  const number = todoNumber(ref)
  return number === null ? store.get(String(ref)) : store.byNumber(number)
}

/** @throws todo_not_found */
export async function requireTodo(store: TodoStore, ref: string | number): Promise<Todo> {
  const found = await findTodo(store, ref)
  if (found !== null) return found
  const number = todoNumber(ref)
  const name = number === null ? String(ref) : `#${number}`
  throw new DocketError("todo_not_found", `There is no todo ${name}. List the todos to see their numbers.`)
}

export async function findTenantWide(store: TodoStore, ref: string | number): Promise<Todo | null> {
  const found = await findTodo(store, ref)
  return found?.sessionID === null ? found : null
}
