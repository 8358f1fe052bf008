import { z } from "zod"

/** Operations by path and method. */
export type OpenApiPaths = Record<string, Record<string, unknown>>

export function pathParameter(name: string, schema: object, description: string) {
  return { name, in: "path", required: true, schema, description }
}

export function queryParameter(name: string, schema: object, description: string) {
  return { name, in: "query", required: false, schema, description }
}

export function jsonResponse(description: string, schema: z.ZodType) {
  return { description, content: { "application/json": { schema: jsonSchema(schema, "output") } } }
}

export function jsonBody(schema: z.ZodType) {
  return { required: true, content: { "application/json": { schema: jsonSchema(schema, "input") } } }
}

export function textResponse(description: string) {
  return { description, content: { "text/plain": { schema: { type: "string" } } } }
}

/** `{"error": …}` with the reason. */
export function errorResponse(description: string) {
  return jsonResponse(description, z.object({ error: z.string() }))
}

/** What every call may be answered with. */
export function refusals() {
  const tooMany = z.object({ error: z.string(), reason: z.string(), retry_after_seconds: z.number() })
  return {
    401: textResponse("missing, malformed, unknown or revoked token"),
    429: jsonResponse("too many requests of the tenant at once", tooMany),
  }
}

function jsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12" })
  return rest
}
