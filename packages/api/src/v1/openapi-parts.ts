import type { QueryParameter } from "@docket/core/operations"
import { type RouteConfig, z } from "@hono/zod-openapi"

/** An optional query parameter. A route reads its text. */
export function queryParameter(schema: Omit<QueryParameter, "description">, description: string) {
  return z
    .string()
    .optional()
    .openapi({ ...schema, param: { description, required: false } })
}

export function jsonResponse<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: { "application/json": { schema } } }
}

/** A body. An object allows no other keys, as `refuseUnknown` checks. */
export function jsonBody<T extends z.ZodType>(given: T) {
  // A copy: schemas that were made before this library was loaded lack `openapi`.
  const schema = given instanceof z.ZodObject ? given.clone().openapi({ additionalProperties: false }) : given
  return { required: true, content: { "application/json": { schema } } }
}

export function textResponse(description: string) {
  return { description, content: { "text/plain": { schema: z.string() } } }
}

/** An error with its reason: `{"error": …}`. */
export function errorResponse(description: string) {
  return jsonResponse(description, z.object({ error: z.string() }))
}

const tooMany = z.object({ error: z.string(), reason: z.string(), retry_after_seconds: z.number() })

/** The refusals that every call may get. */
export const refusals = {
  401: textResponse("missing, malformed, unknown or revoked token"),
  403: errorResponse("the token may not do that; says who may"),
  429: jsonResponse("too many requests of the tenant at once", tooMany),
} satisfies RouteConfig["responses"]
