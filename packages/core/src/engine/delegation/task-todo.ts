import type { Task } from "../../ground/schema/index.ts"
import type { TodoChangeOrigin, TodoService } from "../../records/todo/todo-service.ts"

export interface TaskTodoDeps {
  todos: Pick<TodoService, "update">
  clock: () => number
  onError(error: unknown): void
}

/** Names the task that works on the todo it serves as the todo's owner. */
export async function ownTodo(deps: TaskTodoDeps, task: Task): Promise<void> {
  if (task.todoID === null) return
  const owner = { agent: task.agent, sessionID: task.sessionID, taskID: task.id }
  await deps.todos.update(task.todoID, { owner }, origin(task)).catch(deps.onError)
}

/** Marks the todo that a completed task served as probably done; a person or the agent decides. */
export async function proposeTodo(deps: TaskTodoDeps, task: Task): Promise<void> {
  if (task.todoID === null || task.state !== "completed") return
  const proposed = { taskID: task.id, at: deps.clock() }
  await deps.todos.update(task.todoID, { proposed }, origin(task)).catch(deps.onError)
}

function origin({ agent, messageID, partID }: Task): TodoChangeOrigin {
  return {
    actor: { kind: "task", name: agent },
    ...(messageID !== null && { messageID }),
    ...(partID !== null && { partID }),
  }
}
