import { z } from "zod"
import {
  errorResponse,
  jsonBody,
  jsonResponse,
  type OpenApiPaths,
  pathParameter,
  queryParameter,
  refusals,
} from "./openapi-parts.ts"
import { WireStatus, WireTodo, WireTodoInput, WireTodoPatch } from "./todo-wire.ts"

const one = z.object({ todo: WireTodo })
const batchItem = WireTodoPatch.extend({ id: z.number().int() })
const batchResult = z.union([
  z.object({ id: z.number().int(), ok: z.literal(true), todo: WireTodo }),
  z.object({ id: z.unknown(), ok: z.literal(false), error: z.string() }),
])

/** `/v1/todos` for the OpenAPI document. */
export function todoPaths(): OpenApiPaths {
  const refused = refusals()
  const missing = { 404: errorResponse("todo not found, also for another tenant's") }
  const invalid = { 400: errorResponse("the body is not valid; says what is wrong") }
  const blocked = { 409: errorResponse("the todo waits for others; names them") }
  const id = pathParameter("id", { type: "integer" }, "the todo's number")
  return {
    "/v1/todos": {
      post: {
        operationId: "createTodo",
        requestBody: jsonBody(WireTodoInput),
        responses: { 201: jsonResponse("the todo", one), ...invalid, ...refused },
      },
      get: {
        operationId: "listTodos",
        summary: "Todos, those in progress first. No cursor: at most `limit`.",
        parameters: listParameters(),
        responses: {
          200: jsonResponse("the todos", z.object({ todos: z.array(WireTodo) })),
          ...invalid,
          ...refused,
        },
      },
      patch: {
        operationId: "patchTodos",
        summary: "Several patches, at most 500; each succeeds or fails alone.",
        requestBody: jsonBody(z.union([z.array(batchItem), z.object({ todos: z.array(batchItem) })])),
        responses: {
          200: jsonResponse(
            "what became of each; for no items only `results`",
            z.object({ ok: z.number().optional(), errors: z.number().optional(), results: z.array(batchResult) }),
          ),
          ...invalid,
          ...refused,
        },
      },
    },
    "/v1/todos/{id}": {
      get: {
        operationId: "getTodo",
        parameters: [id],
        responses: { 200: jsonResponse("the todo", one), ...missing, ...refused },
      },
      patch: {
        operationId: "patchTodo",
        parameters: [id],
        requestBody: jsonBody(WireTodoPatch),
        responses: { 200: jsonResponse("the todo", one), ...invalid, ...missing, ...blocked, ...refused },
      },
      delete: {
        operationId: "deleteTodo",
        parameters: [id],
        responses: {
          200: jsonResponse("it is gone", z.object({ deleted: z.literal(true) })),
          ...missing,
          ...refused,
        },
      },
    },
  }
}

function listParameters() {
  return [
    queryParameter(
      "conversation_id",
      { type: "string" },
      "a session id: its items and the tenant-wide ones; `tenant` or `unscoped`: only those; 0 or absent: all",
    ),
    queryParameter("status", { type: "string", enum: WireStatus.options }, "another word finds nothing"),
    queryParameter("agent_id", { type: "string" }, "the agent that made it"),
    queryParameter("limit", { type: "integer", minimum: 1, maximum: 500, default: 200 }, "anything else counts as 200"),
  ]
}
