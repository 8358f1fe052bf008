import type { TodoPatch } from "@docket/core"
import { isDocketError } from "@docket/core"
import type { TodoScope } from "@docket/core/store"
import { sendJson } from "../http/respond.ts"
import { fromWireStatus, toWireTodo, WireStatus, type WireTodo, WireTodoInput, WireTodoPatch } from "./todo-wire.ts"
import { conversation, isRecord, itemNumber, parsed, unknownConversation } from "./v1-input.ts"
import { readV1Json, sendPlain, V1Error, type V1Request } from "./v1-request.ts"

const defaultLimit = 200
const maxLimit = 500
const maxBatch = 500

/** `/v1/todos` and `/v1/todos/:id`. */
export async function serveTodos(request: V1Request): Promise<void> {
  const { res, method, path } = request
  const [, id, ...deeper] = path
  if (deeper.length > 0) return sendPlain(res, 404, "not found")
  if (id === undefined) {
    if (method === "POST") return createTodo(request)
    if (method === "GET") return listTodos(request)
    if (method === "PATCH") return patchTodos(request)
    return sendPlain(res, 405, "method not allowed")
  }
  const number = itemNumber(id)
  if (number === null) return sendPlain(res, 400, "invalid todo id")
  if (method === "GET") return sendJson(res, 200, { todo: toWireTodo(await found(request.tenant.todo.get(number))) })
  if (method === "PATCH") {
    const patch = toPatch(parsed(WireTodoPatch, await readV1Json(request.req)))
    return sendJson(res, 200, {
      todo: toWireTodo(await found(request.tenant.todo.update(number, patch, origin(request)))),
    })
  }
  if (method !== "DELETE") return sendPlain(res, 405, "method not allowed")
  await found(request.tenant.todo.remove(number, origin(request)))
  sendJson(res, 200, { deleted: true })
}

async function createTodo(request: V1Request): Promise<void> {
  const { tenant, req, res } = request
  const input = parsed(WireTodoInput, await readV1Json(req))
  const sessionID = await conversation(request, input.conversation_id)
  const todo = await found(
    tenant.todo.create(
      {
        sessionID,
        content: input.subject,
        description: input.description,
        agent: input.agent_id,
        status: fromWireStatus(input.status),
        exactPosition: input.position,
        ...(input.completed_at !== undefined && { completed: milliseconds(input.completed_at) }),
      },
      origin(request),
    ),
  )
  sendJson(res, 201, { todo: toWireTodo(todo) })
}

async function listTodos(request: V1Request): Promise<void> {
  const query = request.url.searchParams
  const scope = await scopeOf(request, query.get("conversation_id") ?? "0")
  const status = query.get("status")
  const known = WireStatus.safeParse(status)
  if (status !== null && status !== "" && !known.success) return sendJson(request.res, 200, { todos: [] })
  const todos = await request.tenant.todo.find({
    scope,
    status: known.success ? fromWireStatus(known.data) : undefined,
    agent: query.get("agent_id") || undefined,
    limit: limitOf(query.get("limit")),
  })
  sendJson(request.res, 200, { todos: todos.map(toWireTodo) })
}

/** Several patches at once: each succeeds or fails alone, and the answer is always 200. */
async function patchTodos(request: V1Request): Promise<void> {
  const items = batchOf(await readV1Json(request.req))
  if (items.length === 0) return sendJson(request.res, 200, { results: [] })
  const results: ({ id: unknown; ok: true; todo: WireTodo } | { id: unknown; ok: false; error: string })[] = []
  for (const item of items) {
    const id = isRecord(item) ? item.id : null
    try {
      if (typeof id !== "number" || !Number.isSafeInteger(id)) throw new V1Error(400, "required field: id")
      const patch = toPatch(parsed(WireTodoPatch, item))
      const todo = await found(request.tenant.todo.update(id, patch, origin(request)))
      results.push({ id, ok: true, todo: toWireTodo(todo) })
    } catch (error) {
      if (!(error instanceof V1Error)) throw error
      results.push({ id: id ?? null, ok: false, error: error.message })
    }
  }
  const ok = results.filter((result) => result.ok).length
  sendJson(request.res, 200, { ok, errors: results.length - ok, results })
}

function batchOf(body: unknown): unknown[] {
  const items = isRecord(body) ? body.todos : body
  if (!Array.isArray(items)) throw new V1Error(400, "body must be an array or an object with an array `todos`")
  if (items.length > maxBatch) throw new V1Error(400, `at most ${maxBatch} todos in one request`)
  return items
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

async function scopeOf(request: V1Request, given: string): Promise<TodoScope> {
  if (given === "0" || given === "") return { kind: "all" }
  if (given === "tenant" || given === "unscoped") return { kind: "tenant" }
  const sessionID = await conversation(request, given)
  return sessionID === null ? { kind: "all" } : { kind: "session", sessionID }
}

function limitOf(given: string | null): number {
  const limit = /^\d{1,9}$/.test(given ?? "") ? Number(given) : 0
  return limit >= 1 && limit <= maxLimit ? limit : defaultLimit
}

function origin({ caller }: V1Request) {
  return { actor: { kind: "api", name: caller } } as const
}
