import { z } from "zod"
import { TodoPriority, TodoStatus } from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"
import type { PastCall } from "./past-call.ts"

const ListedTodo = z.object({ id: z.string(), content: z.string(), status: TodoStatus, priority: TodoPriority })
/** An item as the todo tools show it. */
export type ListedTodo = z.infer<typeof ListedTodo>

const WrittenTodos = z.array(z.object({ id: z.string().optional(), content: z.string() }))

/**
 * The open items of the list, as the last call showed it, that the rehearsal did not write itself: its own it sends
 * without an id.
 */
export function othersTodos(calls: PastCall[]): ListedTodo[] {
  const shown = calls.findLast(
    ({ tool, failed, output }) => todoTools.includes(tool) && !failed && output.startsWith("["),
  )
  if (shown === undefined) return []
  const written = calls.flatMap(({ tool, input }) =>
    tool === "todowrite" ? (WrittenTodos.safeParse(input.todos).data ?? []) : [],
  )
  const own = new Set(written.filter(({ id }) => id === undefined).map(({ content }) => content))
  return listOf(shown.output).filter(
    ({ content, status }) => !own.has(content) && (status === "pending" || status === "in_progress"),
  )
}

/** The list that an answer begins with; remarks may follow it. */
function listOf(output: string): ListedTodo[] {
  const end = output.indexOf("\n]")
  try {
    return z.array(ListedTodo).safeParse(JSON.parse(end < 0 ? output : output.slice(0, end + 2))).data ?? []
  } catch {
    return []
  }
}
