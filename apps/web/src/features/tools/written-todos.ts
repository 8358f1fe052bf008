import type { TodoPriority, TodoStatus } from "@docket/core/schema"
import type { ChecklistItem } from "../todo/checklist-item.ts"

const statuses: readonly TodoStatus[] = ["pending", "in_progress", "completed", "cancelled"]
const priorities: readonly TodoPriority[] = ["high", "medium", "low"]

/** The list as the model writes it, before it is stored. Items without text are left out. */
export function writtenTodos(list: readonly unknown[] | null): ChecklistItem[] | null {
  if (list === null) return null
  return list.flatMap((entry, index) => {
    if (typeof entry !== "object" || entry === null) return []
    // The fields are checked one by one.
    const { id, content, status, priority } = entry as Record<string, unknown>
    if (typeof content !== "string" || content === "") return []
    return {
      id: typeof id === "string" && id !== "" ? id : String(index),
      content,
      status: statuses.find((name) => name === status) ?? "pending",
      priority: priorities.find((name) => name === priority) ?? "medium",
    }
  })
}
