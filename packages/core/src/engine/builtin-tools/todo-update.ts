import { z } from "zod"
import { defineTool, type Tool } from "../../acts/tool/tool.ts"
import { TodoPriority, TodoStatus } from "../../ground/schema/todo.ts"
import { callOrigin, type ToolTodos, todoResult } from "./todo.ts"

const description = `Changes one item of a todo list, named by id or number, and leaves the others as they are.

Use it instead of todowrite when only one item changes, and always when several agents work from one list: todowrite would undo what the others did meanwhile. The answer is the list as it stands.`

const parameters = z
  .strictObject({
    todo: z.union([z.string().trim().min(1), z.number().int().positive()]).describe('Id or number, e.g. "#14"'),
    status: TodoStatus.optional(),
    content: z.string().trim().min(1).max(2_000).optional(),
    priority: TodoPriority.optional(),
    description: z.string().max(20_000).optional(),
    dependsOn: z.array(z.string()).max(50).optional().describe("Ids or numbers of todos that must be done first"),
  })
  .refine(({ todo: _, ...patch }) => Object.values(patch).some((value) => value !== undefined), {
    error: "say what to change: status, content, priority, description or dependsOn",
  })

/** `todoupdate`: patches one item of any list, the tenant-wide one included. */
export function createTodoUpdateTool(deps: { todos: ToolTodos }): Tool<typeof parameters> {
  return defineTool({
    id: "todoupdate",
    description,
    parameters,
    permission: "todowrite",
    parallel: false,
    async execute({ todo: ref, ...patch }, context) {
      await context.ask({ permission: "todowrite", patterns: ["*"], always: ["*"], metadata: { kind: "other" } })
      const todo = await deps.todos.update(ref, patch, callOrigin(context))
      const result = todoResult(todo.sessionID === null ? [todo] : await deps.todos.list(todo.sessionID))
      return { ...result, title: `#${todo.number} ${todo.status.replace("_", " ")}` }
    },
  })
}
