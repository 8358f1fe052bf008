import type { Plan } from "@agentclientprotocol/sdk/unstable"
import { visibleText } from "@docket/core/rule"
import type { Todo } from "@docket/core/schema"

/** The todo list as a plan, always whole. A plan knows no cancelled entry: nothing is left to do of one, so it counts as completed. */
export function planOf(todos: readonly Pick<Todo, "content" | "priority" | "status">[]): Plan {
  return {
    entries: todos.map(({ content, priority, status }) => ({
      content: visibleText(content),
      priority,
      status: status === "cancelled" ? "completed" : status,
    })),
  }
}
