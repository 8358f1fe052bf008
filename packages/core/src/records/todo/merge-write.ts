import { isDeepStrictEqual } from "node:util"
import type { Todo, TodoActor, TodoChange, TodoInput } from "../../ground/schema/index.ts"
import { isClosed } from "./is-closed.ts"

interface MergedWrite {
  items: TodoInput[]
  /** Differences from what the agent sent, one line each. */
  remarks: string[]
}

interface Given {
  stored: Todo[]
  /** The whole list sent by the agent. */
  items: TodoInput[]
  /** Changes since the agent last saw the list, oldest first. */
  changes: TodoChange[]
  /** Whether someone else made the change. */
  isForeign(change: TodoChange): boolean
}

/**
 * Merges the list that an agent sent with changes that it cannot have known. The sent list replaces the stored one, but
 * fields, removals and order that others changed since the agent last saw the list stay. Open items that no agent added
 * stay until the agent closes them by id. The remarks tell the agent what stayed, so that it can decide in its next
 * call.
 */
export function mergeWrite({ stored, items, changes, isForeign }: Given): MergedWrite {
  const touched = touchedItems(changes, isForeign)
  const remarks: string[] = []
  const removedOf = removedItems(stored, touched)
  const notRemoved = namedByOldContent(stored, items, touched).filter((item) => {
    const removed = removedOf(item)
    if (removed !== null) remarks.push(`- ${nameOf(removed.base)} was removed by ${removed.by}; it stays removed`)
    return removed === null
  })
  const pairs = matchTodos(stored, notRemoved).map((pair) => {
    const foreign = pair.stored === null ? {} : foreignFields(pair.stored, touched.get(pair.stored.id))
    const differs = Object.entries(foreign).filter(([key, value]) => pair.item[key as Field] !== value)
    if (pair.stored !== null && differs.length > 0) {
      const by = touched.get(pair.stored.id)?.by
      const what = differs.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")
      remarks.push(`- ${nameOf(pair.stored)} was changed by ${by}; it stays: ${what}`)
    }
    return { stored: pair.stored, item: { ...pair.item, ...foreign } }
  })
  const ordered = isReordered(stored, touched) ? inStoredOrder(pairs) : pairs
  if (ordered !== pairs) remarks.push("- others reordered the list; their order stays")
  const sent = new Set(pairs.map((pair) => pair.stored))
  const kept = new Set<Todo>()
  for (const todo of stored) {
    const reason = sent.has(todo) ? null : keptBecause(todo, touched.get(todo.id))
    if (reason === null) continue
    kept.add(todo)
    remarks.push(`- ${nameOf(todo)} (${todo.status}) ${reason}; it stays`)
  }
  return { items: withKept(stored, ordered, kept), remarks }
}

type Field = "content" | "description" | "status" | "priority"
const fields = ["content", "description", "status", "priority"] as const

/** An item that others changed: its state before, and who changed it. */
interface Touched {
  base: Todo | null
  by: string
}

type Pair = { stored: Todo | null; item: TodoInput }

function touchedItems(changes: TodoChange[], isForeign: Given["isForeign"]): Map<string, Touched> {
  const bases = new Map<string, Todo | null>()
  const touched = new Map<string, Touched>()
  for (const change of changes) {
    if (!bases.has(change.todoID)) bases.set(change.todoID, change.before)
    if (!isForeign(change)) continue
    touched.set(change.todoID, { base: bases.get(change.todoID) ?? null, by: actorName(change.actor) })
  }
  return touched
}

/** The name of the actor of a change, for models. */
export function actorName({ kind, name }: TodoActor): string {
  if (kind === "agent") return `the agent ${name}`
  if (kind === "task") return `the task of ${name}`
  if (kind === "system") return "Docket"
  return kind === "api" ? "another program" : "the user"
}

function nameOf(todo: Pick<Todo, "number" | "content"> | null): string {
  return todo === null ? "an item" : `#${todo.number} ${JSON.stringify(todo.content.slice(0, 200))}`
}

/**
 * The sent items; one with an old content that others have replaced gets the id of the stored item, because it is the
 * same item.
 */
function namedByOldContent(stored: Todo[], items: TodoInput[], touched: Map<string, Touched>): TodoInput[] {
  const contents = new Set(stored.map((todo) => todo.content))
  const sent = new Set(items.map((item) => item.id))
  const ids = new Map<string, string>()
  for (const todo of stored) {
    const base = touched.get(todo.id)?.base
    if (base && base.content !== todo.content && !sent.has(todo.id)) ids.set(base.content, todo.id)
  }
  return items.map((item) => {
    const id = item.id === undefined && !contents.has(item.content) ? ids.get(item.content) : undefined
    return id === undefined ? item : { ...item, id }
  })
}

/** Finds items that others removed and the agent sends again; null for other items. */
function removedItems(stored: Todo[], touched: Map<string, Touched>): (item: TodoInput) => Touched | null {
  const ids = new Set(stored.map((todo) => todo.id))
  const contents = new Set(stored.map((todo) => todo.content))
  const removed = [...touched].filter(([id, { base }]) => base !== null && !ids.has(id))
  return (item) => {
    const isStored = (item.id !== undefined && ids.has(item.id)) || contents.has(item.content)
    if (isStored) return null
    const found = removed.find(([id, { base }]) =>
      item.id === undefined ? item.content === base?.content : item.id === id,
    )
    return found?.[1] ?? null
  }
}

/**
 * The present values of fields that others changed. Items added by others have none, so the agent may set their fields.
 */
function foreignFields(todo: Todo, touched: Touched | undefined): Partial<Pick<TodoInput, Field>> {
  const base = touched?.base
  if (!base) return {}
  return Object.fromEntries(
    fields.filter((key) => !isDeepStrictEqual(base[key], todo[key])).map((key) => [key, todo[key]]),
  )
}

/** Why an omitted item stays; null when it may be removed. */
function keptBecause(todo: Todo, touched: Touched | undefined): string | null {
  if (touched?.base === null) return `was added by ${touched.by}`
  if (touched !== undefined && Object.keys(foreignFields(todo, touched)).length > 0)
    return `was changed by ${touched.by}`
  if (todo.agent !== null || isClosed(todo.status)) return null
  return "was not added by an agent: complete or cancel it, do not leave it out"
}

/** Whether others changed the order of items that existed before. */
function isReordered(stored: Todo[], touched: Map<string, Touched>): boolean {
  const known = stored.filter((todo) => touched.get(todo.id)?.base !== null)
  const before = known.toSorted(
    (a, b) => (touched.get(a.id)?.base?.position ?? a.position) - (touched.get(b.id)?.base?.position ?? b.position),
  )
  return known.some((todo, index) => todo !== before[index])
}

/** Sorts the stored items into their stored order; new items keep their places. */
function inStoredOrder(pairs: Pair[]): Pair[] {
  const known = pairs.filter((pair) => pair.stored !== null)
  const sorted = known.toSorted((a, b) => (a.stored?.position ?? 0) - (b.stored?.position ?? 0))
  let next = 0
  return pairs.map((pair) => (pair.stored === null ? pair : (sorted[next++] ?? pair)))
}

/** Puts kept items back after their old predecessor; without one, first if the item was first, else last. */
function withKept(stored: Todo[], pairs: Pair[], kept: Set<Todo>): TodoInput[] {
  const sent = new Set(pairs.map((pair) => pair.stored))
  const following = new Map<Todo | null, TodoInput[]>()
  let anchor: Todo | null = null
  for (const todo of stored) {
    if (sent.has(todo)) anchor = todo
    if (!kept.has(todo)) continue
    const { id, content, status, priority } = todo
    const item = { id, content, status, priority }
    const others = following.get(anchor)
    if (others === undefined) following.set(anchor, [item])
    else others.push(item)
  }
  const loose = following.get(null) ?? []
  const list = pairs.flatMap((pair) => [pair.item, ...((pair.stored && following.get(pair.stored)) ?? [])])
  const first = stored[0]
  return first !== undefined && kept.has(first) ? [...loose, ...list] : [...list, ...loose]
}

/** Finds the stored item of each sent one: by id, then by exact content. Each stored item is used once. */
export function matchTodos<Item extends { id?: string | undefined; content: string }>(
  stored: Todo[],
  items: Item[],
): { stored: Todo | null; item: Item }[] {
  const free = new Map(stored.map((todo) => [todo.id, todo]))
  const byContent = Map.groupBy(stored, (todo) => todo.content)
  const take = (todo: Todo | undefined): Todo | null => (todo !== undefined && free.delete(todo.id) ? todo : null)
  const byID = items.map((item) => (item.id === undefined ? null : take(free.get(item.id))))
  return items.map((item, index) => ({
    item,
    stored: byID[index] ?? take(byContent.get(item.content)?.find((todo) => free.has(todo.id))),
  }))
}
