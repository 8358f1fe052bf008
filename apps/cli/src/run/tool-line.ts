import { visibleText } from "@docket/core/rule"
import type { Todo, ToolPart } from "@docket/core/schema"

const todoGlyph = { pending: "○", in_progress: "◐", completed: "✓", cancelled: "–" } as const

/** One line for a tool call that started or ended; null while there is nothing to show. */
export function toolLine({ tool, state }: ToolPart): string | null {
  switch (state.status) {
    case "pending":
      return null
    case "running":
      return state.title ? `→ ${tool} ${oneLine(state.title)}` : null
    case "completed":
      return `✓ ${tool} ${oneLine(state.title)}`.trimEnd()
    case "error":
      return `✗ ${tool} ${oneLine(state.error)}`
  }
}

/** The current todo list: "todos 1 of 3" and a line for each. */
export function todoLines(todos: Todo[]): string[] {
  const done = todos.filter((todo) => todo.status === "completed").length
  return [
    `todos ${done} of ${todos.length}`,
    ...todos.map((todo) => `  ${todoGlyph[todo.status]} ${visibleText(todo.content)}`),
  ]
}

/** A longer line would not fit into a usual terminal. UTF-16 units. */
const maxLength = 120

function oneLine(text: string): string {
  const line = visibleText(text.replace(/\s+/g, " ").trim())
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}
