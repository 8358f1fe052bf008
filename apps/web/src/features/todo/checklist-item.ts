import type { TodoPriority, TodoStatus } from "@docket/core/schema"

/** The fields of a todo that a checklist shows. Stored todos and those in tool metadata have them. */
export interface ChecklistItem {
  id: string
  content: string
  status: TodoStatus
  priority: TodoPriority
}

export const todoStatusLabel: Record<TodoStatus, string> = {
  pending: "To do",
  in_progress: "In progress",
  completed: "Done",
  cancelled: "Cancelled",
}

/** Progress of a list. Cancelled items are not counted. */
export function todoProgress(todos: readonly ChecklistItem[]): { done: number; total: number } {
  const counted = todos.filter((todo) => todo.status !== "cancelled")
  return { done: counted.filter((todo) => todo.status === "completed").length, total: counted.length }
}

/** The todo in progress, else the next one; null when nothing is open. */
export function currentTodo<T extends ChecklistItem>(todos: readonly T[]): T | null {
  return todos.find((todo) => todo.status === "in_progress") ?? todos.find((todo) => todo.status === "pending") ?? null
}
