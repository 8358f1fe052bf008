import type { MessageWithParts } from "@docket/core/schema"
import { todoTools } from "@docket/core/tool-metadata"
import { z } from "zod"
import type { Happening } from "./run-event.ts"

/** What a call would add to the list of todos and complete in it, as far as the session knows the list. */
export function todoEvents(
  { tool, args }: { tool: string; args: Record<string, unknown> },
  messages: readonly MessageWithParts[],
): Happening[] {
  if (tool !== "todowrite" && tool !== "todoupdate") return []
  const known = knownTodos(messages)
  const items = (tool === "todowrite" ? listOf(args.todos) : [updateOf(args, known)]).filter((item) => item !== null)
  return items.flatMap((item) => {
    const before = known.find(({ id, content }) => id === item.id || content === item.content)
    const fields = {
      task_id: before?.id ?? item.id ?? "",
      task_subject: item.content ?? before?.content ?? "",
      ...(item.description !== undefined && { task_description: item.description }),
    }
    const isNew = tool === "todowrite" && before === undefined && item.id === undefined
    const isDone = item.status === "completed" && before?.status !== "completed"
    return [
      ...(isNew ? [{ event: "TaskCreated" as const, names: null, call: null, fields }] : []),
      ...(isDone ? [{ event: "TaskCompleted" as const, names: null, call: null, fields }] : []),
    ]
  })
}

interface Item {
  id?: string | undefined
  content?: string | undefined
  description?: string | undefined
  status?: string | undefined
}

function listOf(value: unknown): Item[] {
  return Array.isArray(value) ? value.map((item: unknown): Item => itemOf(Object(item))) : []
}

function itemOf({ id, content, description, status }: Record<string, unknown>): Item {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined)
  return { id: text(id), content: text(content), description: text(description), status: text(status) }
}

/** The item that `todoupdate` names by id or number. */
function updateOf(args: Record<string, unknown>, known: readonly KnownTodo[]): Item | null {
  const named = String(args.todo)
  const found = known.find(({ id, number }) => id === named || String(number) === named.replace(/^#/, ""))
  return { ...itemOf(args), id: found?.id ?? named }
}

const Known = z.object({
  todos: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      status: z.string(),
      number: z.number().optional().catch(undefined),
    }),
  ),
})
type KnownTodo = z.infer<typeof Known>["todos"][number]

/** The list as the session read or wrote it last. */
function knownTodos(messages: readonly MessageWithParts[]): readonly KnownTodo[] {
  for (const { parts } of messages.toReversed()) {
    for (const part of parts.toReversed()) {
      if (part.type !== "tool" || !todoTools.includes(part.tool) || part.state.status !== "completed") continue
      const list = Known.safeParse(part.state.metadata).data
      if (list !== undefined) return list.todos
    }
  }
  return []
}
