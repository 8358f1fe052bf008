import { renderLines } from "../../ground/inline-command/render-result.ts"
import type { CommandLine, Todo } from "../../ground/schema/index.ts"

/** Most lines shown to a model; more would fill its context with items that it does not need soon. */
const maxLines = 100

/**
 * The open items: a count, then one line each, those in progress first, the session's own before tenant-wide ones,
 * otherwise in the given order; at most 100 lines. Null when nothing is open.
 */
export function openTodoLines(todos: readonly Todo[]): CommandLine[] | null {
  const ordered = todos.toSorted((a, b) => Number(a.sessionID === null) - Number(b.sessionID === null))
  const active = ordered.filter((todo) => todo.status === "in_progress")
  const pending = ordered.filter((todo) => todo.status === "pending")
  const open = [...active, ...pending]
  if (open.length === 0) return null
  const head = `${open.length} open (${active.length} in progress, ${pending.length} pending):`
  const more = open.length > maxLines ? [text(`(and ${open.length - maxLines} more)`)] : []
  return [text(head), ...open.slice(0, maxLines).map(todoLine), ...more]
}

/** The same as text, for `/todo list` and the delegation envelope. */
export function openTodoList(todos: readonly Todo[]): string | null {
  const lines = openTodoLines(todos)
  return lines === null ? null : renderLines(lines)
}

const text = (words: string): CommandLine => ({ kind: "text", text: words })

function todoLine({ number, status, content, sessionID }: Todo): CommandLine {
  return { kind: "todo", number, status, content: content.replace(/\s+/g, " "), everyone: sessionID === null }
}
