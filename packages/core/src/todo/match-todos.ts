import type { Todo } from "../schema/index.ts"

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
