import { MemoryType } from "@docket/core/schema"
import { z } from "zod"
import { WireMemory, WireMemoryInput, WireMemoryPatch } from "./memory-wire.ts"
import {
  errorResponse,
  jsonBody,
  jsonResponse,
  type OpenApiPaths,
  pathParameter,
  queryParameter,
  refusals,
} from "./openapi-parts.ts"

/** `/v1/memory` for the OpenAPI document. */
export function memoryPaths(): OpenApiPaths {
  const refused = refusals()
  const missing = { 404: errorResponse("entry not found, also for another tenant's and for one that no longer holds") }
  const invalid = { 400: errorResponse("the request is not valid; says what is wrong") }
  const entry = jsonResponse("the entry", WireMemory)
  const parameters = [pathParameter("id", { type: "integer" }, "the entry's number")]
  const deleted = jsonResponse("it is gone", z.object({ deleted: z.literal(true) }))
  const invalidated = jsonResponse("it no longer holds", z.object({ invalidated: z.literal(true), id: z.number() }))
  return {
    "/v1/memory/entries": {
      post: {
        operationId: "createMemory",
        requestBody: jsonBody(WireMemoryInput),
        responses: { 201: entry, ...invalid, ...refused },
      },
      get: {
        operationId: "listMemory",
        summary: "With `q` ranked, type and tag raise the rank; without, most recently changed first, they narrow.",
        parameters: listParameters(),
        responses: {
          200: jsonResponse("the entries", z.object({ count: z.number(), entries: z.array(WireMemory) })),
          ...invalid,
          ...refused,
        },
      },
    },
    "/v1/memory/entries/{id}": {
      get: { operationId: "getMemory", parameters, responses: { 200: entry, ...missing, ...refused } },
      patch: {
        operationId: "patchMemory",
        parameters,
        requestBody: jsonBody(WireMemoryPatch),
        responses: { 200: entry, ...invalid, ...missing, ...refused },
      },
      delete: { operationId: "deleteMemory", parameters, responses: { 200: deleted, ...missing, ...refused } },
    },
    "/v1/memory/entries/{id}/invalidate": {
      post: {
        operationId: "invalidateMemory",
        summary: "The entry is kept for history. The second time answers 404.",
        parameters,
        responses: { 200: invalidated, ...missing, ...refused },
      },
    },
  }
}

function listParameters() {
  const seconds = { type: "integer", minimum: 1 }
  return [
    queryParameter("q", { type: "string", maxLength: 1_000 }, "words to look for"),
    queryParameter("type", { type: "string" }, `one or more of ${MemoryType.options.join(", ")}, with commas`),
    queryParameter("tag", { type: "string" }, "a whole tag"),
    queryParameter("conversation_id", { type: "string" }, "a session id: what its conversation sees"),
    queryParameter("as_of", seconds, "what held then, epoch seconds"),
    queryParameter("since", seconds, "recorded then or later"),
    queryParameter("before_updated_at", seconds, "last changed earlier: the cursor for the next page"),
    queryParameter("limit", { type: "integer", minimum: 1, maximum: 200, default: 50 }, "how many at most"),
  ]
}
