import type { Todo } from "@docket/core/schema"

/** Writes a todo list as JSON. */
export type ListText = (list: readonly Todo[]) => string

/**
 * Keeps the text of an item as long as the item, which is never changed in place: of a long list that is read again
 * and again, only what changed is written anew.
 */
export function createListText(): ListText {
  const texts = new WeakMap<Todo, string>()
  const textOf = (todo: Todo): string => {
    const known = texts.get(todo)
    if (known !== undefined) return known
    const text = JSON.stringify(todo)
    texts.set(todo, text)
    return text
  }
  return (list) => `[${list.map(textOf).join(",")}]`
}
