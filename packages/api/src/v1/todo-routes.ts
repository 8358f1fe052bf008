import { records } from "@docket/core/operations"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { errorResponse, jsonBody, jsonResponse, queryParameter, refusals } from "./openapi-parts.ts"
import { TodoBatch, WireStatus, WireTodo, WireTodoInput, WireTodoPatch } from "./todo-wire.ts"
import { itemParams, readJsonBody } from "./v1-input.ts"

const list = "/todos"
const item = "/todos/{id}"

export const todoParams = itemParams("todo", "the todo's number")

const one = z.object({ todo: WireTodo })
const missing = { 404: errorResponse("todo not found, also for another tenant's") }
const invalid = { 400: errorResponse("the body is not valid; says what is wrong") }
const blocked = { 409: errorResponse("the todo waits for others; names them") }

const batchResult = z.union([
  z.object({ id: z.number().int(), ok: z.literal(true), todo: WireTodo }),
  z.object({ id: z.unknown().nonoptional(), ok: z.literal(false), error: z.string() }),
])

export const createTodo = guardedRoute(
  "todo.edit",
  {
    method: "post",
    path: list,
    operationId: "createTodo",
    summary: "Adds a todo.",
    middleware: readJsonBody,
    request: { body: jsonBody(WireTodoInput) },
    responses: { 201: jsonResponse("the todo", one), ...invalid, ...refusals },
  },
  records("todo.edited"),
)

const TodoQuery = z.object({
  conversation_id: queryParameter(
    { type: "string" },
    "a session id: its items and the tenant-wide ones; `tenant` or `unscoped`: only those; 0 or absent: all",
  ),
  status: queryParameter({ type: "string", enum: WireStatus.options }, "another word finds nothing"),
  agent_id: queryParameter({ type: "string" }, "the agent that made it"),
  limit: queryParameter({ type: "integer", minimum: 1, maximum: 500, default: 200 }, "anything else counts as 200"),
})

export const listTodos = guardedRoute("read", {
  method: "get",
  path: list,
  operationId: "listTodos",
  summary: "Todos, those in progress first. No cursor: at most `limit`.",
  request: { query: TodoQuery },
  responses: { 200: jsonResponse("the todos", z.object({ todos: z.array(WireTodo) })), ...invalid, ...refusals },
})

export const patchTodos = guardedRoute(
  "todo.edit",
  {
    method: "patch",
    path: list,
    operationId: "patchTodos",
    summary: "Several patches, at most 500; each succeeds or fails alone.",
    middleware: readJsonBody,
    request: { body: jsonBody(TodoBatch) },
    responses: {
      200: jsonResponse(
        "what became of each; for no items only `results`",
        z.object({ ok: z.number().optional(), errors: z.number().optional(), results: z.array(batchResult) }),
      ),
      ...invalid,
      ...refusals,
    },
  },
  records("todo.edited"),
)

export const getTodo = guardedRoute("read", {
  method: "get",
  path: item,
  operationId: "getTodo",
  summary: "One todo, by its number.",
  request: { params: todoParams },
  responses: { 200: jsonResponse("the todo", one), ...missing, ...refusals },
})

export const patchTodo = guardedRoute(
  "todo.edit",
  {
    method: "patch",
    path: item,
    operationId: "patchTodo",
    summary: "Changes a todo.",
    middleware: readJsonBody,
    request: { params: todoParams, body: jsonBody(WireTodoPatch) },
    responses: { 200: jsonResponse("the todo", one), ...invalid, ...missing, ...blocked, ...refusals },
  },
  records("todo.edited", { targets: ["id"] }),
)

export const deleteTodo = guardedRoute(
  "todo.edit",
  {
    method: "delete",
    path: item,
    operationId: "deleteTodo",
    summary: "Removes a todo.",
    request: { params: todoParams },
    responses: { 200: jsonResponse("it is gone", z.object({ deleted: z.literal(true) })), ...missing, ...refusals },
  },
  records("todo.edited", { targets: ["id"] }),
)
