import { z } from "zod"
import type { ForeignTodo } from "./foreign-session.ts"

const Item = z.object({
  content: z.string().min(1),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]).catch("pending"),
  priority: z.enum(["high", "medium", "low"]).catch("medium"),
})
const Written = z.object({ todos: z.array(Item) })

/** The list that a call wrote; null when it wrote none. */
export function writtenTodos(input: unknown): ForeignTodo[] | null {
  return Written.safeParse(input).data?.todos ?? null
}

/** The list as a call of `todowrite` keeps it. */
export function todoMetadata(todos: readonly ForeignTodo[]): Record<string, unknown> {
  return { todos: todos.map((todo, index) => ({ id: String(index + 1), ...todo })), truncated: false }
}
