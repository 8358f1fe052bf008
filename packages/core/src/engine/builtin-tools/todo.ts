import { z } from "zod"
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../acts/tool/tool.ts"
import { type Todo, TodoInput } from "../../ground/schema/todo.ts"
import { type TodoMetadata, todoTools } from "../../ground/schema/tool-metadata.ts"
import type { TodoBaseline, TodoChangeOrigin, TodoService } from "../../records/todo/todo-service.ts"

/** The part of the todo service that the tools use. */
export type ToolTodos = Pick<TodoService, "list" | "write" | "update">

const MAX_ITEMS = 200

const writeDescription = `Replaces the session's todo list. The user sees it live, so it is how you show your plan and your progress.

Use it when the work takes three or more steps, when the user gives several tasks or asks for a list, and when new work turns up on the way. Leave it out for a question or a single small change.

- Send the whole list every time, with the id of items that exist already. An item of yours that you leave out is deleted; one that the user added stays until you set it to completed or cancelled.
- Mark an item in_progress before you start on it; keep only one so.
- Mark it completed as soon as it is done and checked, not several at the end. Never mark work completed that failed or is half done.
- Use cancelled for what turned out not to be needed.
- When an item must wait for others, name them in dependsOn (id, number or exact content). It cannot start before they are done.
- Keep content short: one concrete step that can be ticked off.`

const readDescription =
  "Reads the session's todo list: the items in order with id, content, status and priority. Use it when you are not sure what is left."

const writeParameters = z.strictObject({
  todos: z
    .array(z.strictObject(TodoInput.shape))
    .max(MAX_ITEMS)
    .describe("The complete list, in the order in which to work"),
})
const readParameters = z.strictObject({})

/** `todowrite`: replaces the list. Several calls in one step run in order, because the last one must win. */
export function createTodoWriteTool(deps: { todos: ToolTodos }): Tool<typeof writeParameters> {
  return defineTool({
    id: "todowrite",
    description: writeDescription,
    parameters: writeParameters,
    permission: "todowrite",
    limits: `${MAX_ITEMS} items`,
    parallel: false,
    // Fields that models copy from the answer, or from other agents' todo tools.
    ignores: ["number", "activeForm"],
    async execute(args, context) {
      refuseDuplicates(args.todos)
      await context.ask({ permission: "todowrite", patterns: ["*"], always: ["*"], metadata: { kind: "other" } })
      const { before, todos, remarks } = await deps.todos.write(
        context.sessionID,
        args.todos,
        callOrigin(context),
        baselineOf(context),
      )
      const result = todoResult(todos, changedTodos(before, todos))
      return remarks.length === 0
        ? result
        : { ...result, output: `${result.output}\n\n${remarksHead}\n${remarks.join("\n")}` }
    },
  })
}

/** `todoread`: the stored list, in the same form as the answer of `todowrite`. */
export function createTodoReadTool(deps: { todos: ToolTodos }): Tool<typeof readParameters> {
  return defineTool({
    id: "todoread",
    description: readDescription,
    parameters: readParameters,
    permission: "todoread",
    parallel: true,
    async execute(_args, context) {
      await context.ask({ permission: "todoread", patterns: ["*"], always: ["*"], metadata: { kind: "other" } })
      return todoResult(await deps.todos.list(context.sessionID))
    },
  })
}

const remarksHead =
  "Others work on this list too. What they did since you last saw it stays, so the list above is not what you sent; change it again where you know better:"

function baselineOf({ earlier }: ToolContext): TodoBaseline {
  const isOwn = (messageID: string | null) => messageID !== null && earlier.includes(messageID)
  return { at: 0, partID: null, ...earlier.last(todoTools), isOwn }
}

/** Items are matched by id and by content, so both must be unique in one call. */
function refuseDuplicates(items: TodoInput[]): void {
  for (const key of ["content", "id"] as const) {
    const seen = new Set<string>()
    for (const item of items) {
      const value = item[key]
      if (value === undefined) continue
      if (seen.has(value)) {
        throw new Error(
          `Two todos have the same ${key} ${JSON.stringify(value.slice(0, 200))}. Send each item once; nothing was changed.`,
        )
      }
      seen.add(value)
    }
  }
}

/** The agent and the tool call that change a todo. */
export function callOrigin(context: ToolContext): TodoChangeOrigin {
  const { agent, messageID, partID } = context
  return { actor: { kind: "agent", name: agent }, messageID, partID }
}

/** The todo list as an answer of the todo tools. Several items in progress cause a warning, no error. */
export function todoResult(todos: Todo[], changed?: TodoMetadata["changed"]): ToolResult<"todowrite"> {
  const open = todos.filter((todo) => todo.status !== "completed").length
  const started = todos.filter((todo) => todo.status === "in_progress").length
  const json = JSON.stringify(todos.map(toolTodo), null, 2)
  const warning = `\n\nWarning: ${started} todos are in_progress. Work on one at a time and set the others back to pending.`
  const metadata: TodoMetadata = { todos, ...(changed && { changed }), truncated: false }
  return { title: `${open} ${open === 1 ? "todo" : "todos"}`, output: started > 1 ? json + warning : json, metadata }
}

/**
 * Added and removed todos, and those with a new status or text, in the order of the new list; removed ones come last.
 */
export function changedTodos(before: Todo[], after: Todo[]): NonNullable<TodoMetadata["changed"]> {
  const known = new Map(before.map((todo) => [todo.id, todo]))
  const kept = new Set(after.map(({ id }) => id))
  const written = after.flatMap(({ id, content, status }) => {
    const old = known.get(id)
    return old?.status === status && old.content === content ? [] : [{ content, from: old?.status ?? null, to: status }]
  })
  const gone = before.flatMap(({ id, content, status }) => (kept.has(id) ? [] : [{ content, from: status, to: null }]))
  return [...written, ...gone]
}

/** The first keys are always present; the others only when they have a value. */
function toolTodo({ id, content, status, priority, number, description, dependsOn, plan }: Todo) {
  return {
    id,
    content,
    status,
    priority,
    number,
    ...(description !== "" && { description }),
    ...(dependsOn.length > 0 && { dependsOn }),
    ...(plan && { plan: `step ${plan.step} of ${plan.file}` }),
  }
}
