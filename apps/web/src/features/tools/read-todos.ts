import type { TodoPriority, TodoStatus } from "@docket/core/schema"
import type { ChecklistItem } from "../todo/checklist-item.ts"
import { asRecord, type JsonRecord, readList, readString } from "./read-record.ts"

const statuses: readonly TodoStatus[] = ["pending", "in_progress", "completed", "cancelled"]
const priorities: readonly TodoPriority[] = ["high", "medium", "low"]

/** The list in a todo tool's metadata or, while it runs, in its input. Null when there is none yet. */
export function readTodos(metadata: JsonRecord, input: JsonRecord): ChecklistItem[] | null {
  const list = readList(metadata, "todos") ?? readList(input, "todos")
  if (list === null) return null
  return list.flatMap((entry, index) => {
    const record = asRecord(entry)
    const content = readString(record, "content")
    if (content === null) return []
    const status = statuses.find((name) => name === record.status) ?? "pending"
    const priority = priorities.find((name) => name === record.priority) ?? "medium"
    return [{ id: readString(record, "id") ?? String(index), content, status, priority }]
  })
}
