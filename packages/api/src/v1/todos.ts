import { type DocketError, isDocketError, type TodoPatch } from "@docket/core"
import { records, sizeOf } from "@docket/core/operations"
import type { TodoScope } from "@docket/core/store"
import { z } from "@hono/zod-openapi"
import type { JSONValue } from "hono/utils/types"
import { answerJson } from "../http/answer.ts"
import { refuseUnknownKeys } from "../input/unknown-keys.ts"
import { guardedRoute } from "./guarded-route.ts"
import { cursorParameter, listPage, nextCursor, pageOf, sizeToRead } from "./list-page.ts"
import { errorResponse, jsonBody, jsonResponse, refusals } from "./openapi-parts.ts"
import { addRoute, inWordsOf } from "./operation-routes.ts"
import {
  fromWireStatus,
  TodoBatch,
  toWireTodo,
  WireStatus,
  WireTodo,
  WireTodoBatchItem,
  WireTodoInput,
  WireTodoPatch,
} from "./todo-wire.ts"
import type { V1App, V1Context } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { conversation, isRecord, problemOf, readJsonBody, unknownConversation } from "./v1-input.ts"

const limits = { usual: 200, most: 500 }

const invalid = "the body is not valid; says what is wrong"
const missing = { 404: "todo not found, also for another tenant's" }
const ofItem = {
  path: "/todos/{id}",
  item: { numberOf: "todo" },
  status: 200,
  answer: { description: "the todo", schema: z.object({ todo: WireTodo }) },
  refusals: missing,
  errors: { todo_not_found: [404, "todo not found"], session_not_found: unknownConversation },
  write: (todo: Parameters<typeof toWireTodo>[0]) => ({ todo: toWireTodo(todo) }),
} as const

/** `/v1/todos` and `/v1/todos/:id`. */
export function addTodos(app: V1App): void {
  addRoute(app, "todo.create", {
    method: "post",
    path: "/todos",
    operationID: "createTodo",
    summary: "Adds a todo.",
    body: WireTodoInput,
    status: 201,
    answer: ofItem.answer,
    refusals: { 400: invalid },
    errors: ofItem.errors,
    async read({ body, ...tenant }) {
      return {
        sessionID: await conversation(tenant, body.conversation_id),
        content: body.subject,
        description: body.description,
        agent: body.agent_id,
        status: fromWireStatus(body.status),
        exactPosition: body.position,
        ...(body.completed_at !== undefined && { completed: milliseconds(body.completed_at) }),
      }
    },
    write: ofItem.write,
    about: ({ id }) => ({ todo: id }),
  })

  addList(app)

  addRoute(app, "todo.get", {
    ...ofItem,
    method: "get",
    operationID: "getTodo",
    summary: "One todo, by its number.",
    read: ({ number }) => ({ todo: number }),
  })

  addRoute(app, "todo.update", {
    ...ofItem,
    method: "patch",
    operationID: "patchTodo",
    summary: "Changes a todo.",
    body: WireTodoPatch,
    refusals: { 400: invalid, ...missing, 409: "the todo waits for others; names them" },
    read: ({ number, body }) => ({ todo: number, ...toPatch(body) }),
  })

  addRoute(app, "todo.remove", {
    ...ofItem,
    method: "delete",
    operationID: "deleteTodo",
    summary: "Removes a todo.",
    answer: { description: "it is gone", schema: z.object({ deleted: z.literal(true) }) },
    read: ({ number }) => ({ todo: number }),
    write: () => ({ deleted: true }),
  })

  addBatch(app)
}

function addList(app: V1App): void {
  addRoute(app, "todo.find", {
    method: "get",
    path: "/todos",
    operationID: "listTodos",
    summary: "Todos, those in progress first.",
    query: {
      conversation_id: {
        type: "string",
        description:
          "a session id: its items and the tenant-wide ones; `tenant` or `unscoped`: only those; 0 or absent: all",
      },
      status: { type: "string", enum: WireStatus.options, description: "another word finds nothing" },
      agent_id: { type: "string", description: "the agent that made it" },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: limits.most,
        default: limits.usual,
        description: "anything else counts as 200",
      },
      cursor: cursorParameter,
    },
    status: 200,
    answer: { description: "the todos", schema: z.object({ todos: z.array(WireTodo), ...nextCursor }) },
    refusals: { 400: invalid },
    async read({ query: { conversation_id = "0", status, agent_id, limit, cursor }, ...tenant }) {
      const known = WireStatus.safeParse(status)
      return {
        scope: await scopeOf(tenant, conversation_id),
        status: known.success ? fromWireStatus(known.data) : undefined,
        agent: agent_id || undefined,
        limit: sizeToRead(listPage(cursor, sizeOf(limit, limits))),
      }
    },
    // For an unknown status `read` sets no filter, so all todos arrive here; the answer then has none.
    write(todos, { query: { status, limit, cursor } }) {
      const found = !status || WireStatus.safeParse(status).success ? todos : []
      const { items, next_cursor } = pageOf(found, listPage(cursor, sizeOf(limit, limits)))
      return { todos: items.map(toWireTodo), next_cursor }
    },
  })
}

const batchResult = z.union([
  z.object({ id: z.number().int(), ok: z.literal(true), todo: WireTodo }),
  z.object({ id: z.unknown().nonoptional(), ok: z.literal(false), error: z.string() }),
])

const patchTodos = guardedRoute(
  "todo.edit",
  {
    method: "patch",
    path: "/todos",
    operationId: "patchTodos",
    summary: "Several patches, at most 500; each succeeds or fails alone.",
    middleware: readJsonBody,
    request: { body: jsonBody(TodoBatch, "PatchTodosBody") },
    responses: {
      200: jsonResponse(
        "what became of each; for no items only `results`",
        z.object({ ok: z.number().optional(), errors: z.number().optional(), results: z.array(batchResult) }),
      ),
      400: errorResponse(invalid),
      ...refusals,
    },
  },
  records("todo.edited"),
)

/** Several operations in one request. */
function addBatch(app: V1App): void {
  app.openapi(patchTodos, async (c) => {
    const items = c.req.valid("json")
    if (items.length === 0) return answerJson(c, { results: [] }, 200)
    const results: BatchResult[] = []
    for (const item of items) results.push(await patchItem(c, item))
    const ok = results.filter((result) => result.ok).length
    c.var.recorder?.about({ todos: ok })
    return answerJson(c, { ok, errors: results.length - ok, results }, 200)
  })
}

type BatchResult = { id: number; ok: true; todo: WireTodo } | { id: JSONValue; ok: false; error: string }

/** One patch of a batch. It succeeds or fails alone. */
async function patchItem({ var: { tenant, identity } }: V1Context, item: unknown): Promise<BatchResult> {
  const given = isRecord(item) ? item.id : null
  const id = typeof given === "object" ? null : given
  try {
    if (typeof id !== "number" || !Number.isSafeInteger(id)) throw new V1Error(400, "required field: id")
    refuseUnknownKeys(WireTodoBatchItem, item)
    const patch = WireTodoPatch.safeParse(item)
    if (!patch.success) throw new V1Error(400, problemOf(patch.error))
    const actor = { kind: "api", name: identity.name } as const
    const update = async () => tenant.todo.update({ todo: id, ...toPatch(patch.data) }, { actor })
    const todo = await inWordsOf(ofItem, update)
    return { id, ok: true, todo: toWireTodo(todo) }
  } catch (error) {
    // An id from parsed JSON is a JSON value. A list or an object, which may be nested too deeply to write, became null.
    if (isOfOneItem(error)) return { id: (id ?? null) as JSONValue, ok: false, error: error.message }
    throw error
  }
}

/** Whether an item failed for a reason of its own, so that the rest of the batch goes on. */
function isOfOneItem(error: unknown): error is V1Error | DocketError {
  if (error instanceof V1Error) return true
  return isDocketError(error) && (error.code === "unknown_key" || error.code === "todo_blocked")
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

async function scopeOf(tenant: Parameters<typeof conversation>[0], given: string): Promise<TodoScope> {
  if (given === "0" || given === "") return { kind: "all" }
  if (given === "tenant" || given === "unscoped") return { kind: "tenant" }
  const sessionID = await conversation(tenant, given)
  return sessionID === null ? { kind: "all" } : { kind: "session", sessionID }
}
