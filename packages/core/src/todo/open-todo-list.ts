import type { Todo } from "../schema/index.ts"

/** Lines that a model is shown: more would fill its context with what it will not do next. */
const maxLines = 100

/**
 * Open items as text: a count, then one line each, those in progress first and marked `▶`, the session's own
 * before tenant-wide ones, else in the given order; at most 100 lines. Null when nothing is open. The form is the one that `/todo list` and the delegation envelope show to models.
 */
export function openTodoList(todos: Todo[]): string | null {
  const ordered = todos.toSorted((a, b) => Number(a.sessionID === null) - Number(b.sessionID === null))
  const active = ordered.filter((todo) => todo.status === "in_progress")
  const pending = ordered.filter((todo) => todo.status === "pending")
  const open = [...active, ...pending]
  if (open.length === 0) return null
  const head = `${open.length} open (${active.length} in progress, ${pending.length} pending):`
  const more = open.length > maxLines ? [`(and ${open.length - maxLines} more)`] : []
  return [head, ...open.slice(0, maxLines).map(openTodoLine), ...more].join("\n")
}

function openTodoLine(todo: Todo): string {
  const marker = todo.status === "in_progress" ? "▶ " : ""
  const reach = todo.sessionID === null ? " (tenant-wide)" : ""
  return `${marker}#${todo.number} [${todo.status}] ${todo.content.replace(/\s+/g, " ")}${reach}`
}
