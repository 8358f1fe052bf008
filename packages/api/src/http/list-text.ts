import type { Todo } from "@docket/core/schema"

/** Writes a todo list as JSON. */
export type ListText = (list: readonly Todo[]) => string

/**
 * Keeps the JSON of each todo as long as the todo object, which never changes. When a long list is read again, only
 * changed todos are written as JSON again.
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
