import type { Todo } from "../../ground/schema/index.ts"

/** Finds the stored item of each new one: by id first, then by exact content. No stored item serves twice. */
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
