import { records } from "@docket/core/operations"
import { MemoryType } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { WireMemory, WireMemoryInput, WireMemoryPatch } from "./memory-wire.ts"
import { errorResponse, jsonBody, jsonResponse, queryParameter, refusals } from "./openapi-parts.ts"
import { itemParams, readJsonBody } from "./v1-input.ts"

const list = "/memory/entries"
const item = "/memory/entries/{id}"

export const memoryParams = itemParams("entry", "the entry's number")

const missing = { 404: errorResponse("entry not found, also for another tenant's and for one that no longer holds") }
const invalid = { 400: errorResponse("the request is not valid; says what is wrong") }
const entry = jsonResponse("the entry", WireMemory)

export const createMemory = guardedRoute(
  "memory.edit",
  {
    method: "post",
    path: list,
    operationId: "createMemory",
    summary: "Remembers something.",
    middleware: readJsonBody,
    request: { body: jsonBody(WireMemoryInput) },
    responses: { 201: entry, ...invalid, ...refusals },
  },
  records("memory.edited"),
)

const seconds = { type: "integer", minimum: 1 } as const
const MemoryQuery = z.object({
  q: queryParameter({ type: "string", maxLength: 1_000 }, "words to look for"),
  type: queryParameter({ type: "string" }, `one or more of ${MemoryType.options.join(", ")}, with commas`),
  tag: queryParameter({ type: "string" }, "a whole tag"),
  conversation_id: queryParameter({ type: "string" }, "a session id: what its conversation sees"),
  as_of: queryParameter(seconds, "what held then, epoch seconds"),
  since: queryParameter(seconds, "recorded then or later"),
  before_updated_at: queryParameter(seconds, "last changed earlier: the cursor for the next page"),
  limit: queryParameter({ type: "integer", minimum: 1, maximum: 200, default: 50 }, "how many at most"),
})

export const listMemory = guardedRoute("read", {
  method: "get",
  path: list,
  operationId: "listMemory",
  summary: "With `q` ranked, type and tag raise the rank; without, most recently changed first, they narrow.",
  request: { query: MemoryQuery },
  responses: {
    200: jsonResponse("the entries", z.object({ count: z.number(), entries: z.array(WireMemory) })),
    ...invalid,
    ...refusals,
  },
})

export const getMemory = guardedRoute("read", {
  method: "get",
  path: item,
  operationId: "getMemory",
  summary: "One entry that holds.",
  request: { params: memoryParams },
  responses: { 200: entry, ...missing, ...refusals },
})

export const patchMemory = guardedRoute(
  "memory.edit",
  {
    method: "patch",
    path: item,
    operationId: "patchMemory",
    summary: "Changes an entry.",
    middleware: readJsonBody,
    request: { params: memoryParams, body: jsonBody(WireMemoryPatch) },
    responses: { 200: entry, ...invalid, ...missing, ...refusals },
  },
  records("memory.edited", { targets: ["id"] }),
)

export const deleteMemory = guardedRoute(
  "memory.edit",
  {
    method: "delete",
    path: item,
    operationId: "deleteMemory",
    summary: "Removes an entry.",
    request: { params: memoryParams },
    responses: { 200: jsonResponse("it is gone", z.object({ deleted: z.literal(true) })), ...missing, ...refusals },
  },
  records("memory.edited", { targets: ["id"] }),
)

export const invalidateMemory = guardedRoute(
  "memory.edit",
  {
    method: "post",
    path: `${item}/invalidate`,
    operationId: "invalidateMemory",
    summary: "The entry is kept for history. The second time answers 404.",
    request: { params: memoryParams },
    responses: {
      200: jsonResponse("it no longer holds", z.object({ invalidated: z.literal(true), id: z.number() })),
      ...missing,
      ...refusals,
    },
  },
  records("memory.edited", { targets: ["id"] }),
)
