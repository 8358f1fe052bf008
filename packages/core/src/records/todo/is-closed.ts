import type { TodoStatus } from "../../ground/schema/index.ts"

/** Completed or cancelled: nothing is left to do. */
export function isClosed(status: TodoStatus): boolean {
  return status === "completed" || status === "cancelled"
}
