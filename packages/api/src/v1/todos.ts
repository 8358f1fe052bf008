import { isDocketError, type TodoPatch } from "@docket/core"
import type { TodoScope } from "@docket/core/store"
import type { JSONValue } from "hono/utils/types"
import { answerJson } from "../http/answer.ts"
import { refuseUnknownKeys } from "../input/unknown-keys.ts"
import { createTodo, deleteTodo, getTodo, listTodos, patchTodo, patchTodos, todoParams } from "./todo-routes.ts"
import { fromWireStatus, toWireTodo, WireStatus, type WireTodo, WireTodoBatchItem, WireTodoPatch } from "./todo-wire.ts"
import type { V1App, V1Context } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { checkItem, conversation, isRecord, problemOf, unknownConversation } from "./v1-input.ts"

const defaultLimit = 200
const maxLimit = 500

/** `/v1/todos` and `/v1/todos/:id`. */
export function addTodos(app: V1App): void {
  app.use("/todos/:id", checkItem(todoParams))

  app.openapi(createTodo, async (c) => {
    const input = c.req.valid("json")
    const sessionID = await conversation(c, input.conversation_id)
    const fields = {
      sessionID,
      content: input.subject,
      description: input.description,
      agent: input.agent_id,
      status: fromWireStatus(input.status),
      exactPosition: input.position,
      ...(input.completed_at !== undefined && { completed: milliseconds(input.completed_at) }),
    }
    const todo = await found(c.var.tenant.todo.create(fields, origin(c)))
    c.var.recorder?.about({ todo: todo.id })
    return answerJson(c, { todo: toWireTodo(todo) }, 201)
  })

  app.openapi(listTodos, async (c) => {
    const { conversation_id = "0", status = "", agent_id, limit } = c.req.valid("query")
    const scope = await scopeOf(c, conversation_id)
    const known = WireStatus.safeParse(status)
    if (status !== "" && !known.success) return answerJson(c, { todos: [] }, 200)
    const todos = await c.var.tenant.todo.find({
      scope,
      status: known.success ? fromWireStatus(known.data) : undefined,
      agent: agent_id || undefined,
      limit: limitOf(limit),
    })
    return answerJson(c, { todos: todos.map(toWireTodo) }, 200)
  })

  app.openapi(patchTodos, async (c) => {
    const items = c.req.valid("json")
    if (items.length === 0) return answerJson(c, { results: [] }, 200)
    const results: BatchResult[] = []
    for (const item of items) results.push(await patchItem(c, item))
    const ok = results.filter((result) => result.ok).length
    c.var.recorder?.about({ todos: ok })
    return answerJson(c, { ok, errors: results.length - ok, results }, 200)
  })

  app.openapi(getTodo, async (c) => {
    const todo = await found(c.var.tenant.todo.get({ todo: c.req.valid("param").id }))
    return answerJson(c, { todo: toWireTodo(todo) }, 200)
  })

  app.openapi(patchTodo, async (c) => {
    const patch = toPatch(c.req.valid("json"))
    const todo = await found(c.var.tenant.todo.update({ todo: c.req.valid("param").id, ...patch }, origin(c)))
    return answerJson(c, { todo: toWireTodo(todo) }, 200)
  })

  app.openapi(deleteTodo, async (c) => {
    await found(c.var.tenant.todo.remove({ todo: c.req.valid("param").id }, origin(c)))
    return answerJson(c, { deleted: true } as const, 200)
  })
}

type BatchResult = { id: number; ok: true; todo: WireTodo } | { id: JSONValue; ok: false; error: string }

/** One patch of several: it succeeds or fails alone. */
async function patchItem(c: V1Context, item: unknown): Promise<BatchResult> {
  const given = isRecord(item) ? item.id : null
  const id = typeof given === "object" ? null : given
  try {
    if (typeof id !== "number" || !Number.isSafeInteger(id)) throw new V1Error(400, "required field: id")
    refuseUnknownKeys(WireTodoBatchItem, item)
    const patch = WireTodoPatch.safeParse(item)
    if (!patch.success) throw new V1Error(400, problemOf(patch.error))
    const todo = await found(c.var.tenant.todo.update({ todo: id, ...toPatch(patch.data) }, origin(c)))
    return { id, ok: true, todo: toWireTodo(todo) }
  } catch (error) {
    // What came as JSON is JSON; a list or an object, which may be deeper than can be written, is no id.
    if (error instanceof V1Error || (isDocketError(error) && error.code === "unknown_key"))
      return { id: (id ?? null) as JSONValue, ok: false, error: error.message }
    throw error
  }
}

function toPatch({ subject, description, status, position, completed_at }: WireTodoPatch): TodoPatch {
  return {
    content: subject,
    description,
    exactPosition: position,
    status: status && fromWireStatus(status),
    completed: completed_at === undefined ? undefined : milliseconds(completed_at),
  }
}

function milliseconds(seconds: number): number | null {
  return seconds === 0 ? null : seconds * 1_000
}

/** The answer of the todos, with expected failures as `/v1` tells them. */
async function found<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isDocketError(error)) throw error
    if (error.code === "todo_not_found") throw new V1Error(404, "todo not found")
    if (error.code === "todo_blocked") throw new V1Error(409, error.message)
    if (error.code === "session_not_found") throw unknownConversation()
    throw error
  }
}

async function scopeOf(c: V1Context, given: string): Promise<TodoScope> {
  if (given === "0" || given === "") return { kind: "all" }
  if (given === "tenant" || given === "unscoped") return { kind: "tenant" }
  const sessionID = await conversation(c, given)
  return sessionID === null ? { kind: "all" } : { kind: "session", sessionID }
}

function limitOf(given = ""): number {
  const limit = /^\d{1,9}$/.test(given) ? Number(given) : 0
  return limit >= 1 && limit <= maxLimit ? limit : defaultLimit
}

function origin({ var: { identity } }: V1Context) {
  return { actor: { kind: "api", name: identity.name } } as const
}
