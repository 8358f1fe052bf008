import type { QueryParameter } from "@docket/core/operations"
import { type RouteConfig, z } from "@hono/zod-openapi"
import { Problem, problemType, TooMany } from "./problem.ts"

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

/**
 * A body. An object allows no other keys, as `refuseUnknown` checks. Generators name their types by the title; of a
 * union they make one when it is a component.
 */
export function jsonBody<T extends z.ZodType>(given: T, title?: string) {
  return { required: true, content: { "application/json": { schema: bodySchema(given, title) } } }
}

function bodySchema<T extends z.ZodType>(given: T, title: string | undefined): T {
  // A copy: schemas that were made before this library was loaded lack `openapi`.
  if (given instanceof z.ZodObject)
    return given.clone().openapi({ ...(title !== undefined && { title }), additionalProperties: false })
  return title === undefined ? given : given.clone().openapi(title)
}

export function textResponse(description: string) {
  return { description, content: { "text/plain": { schema: z.string() } } }
}

/** A refusal with its reason. */
export function errorResponse(description: string) {
  return problemResponse(description, Problem)
}

function problemResponse<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: { "application/json": { schema }, [problemType]: { schema } } }
}

/** The refusals that every call may get. */
export const refusals = {
  401: textResponse("missing, malformed, unknown or revoked token"),
  403: errorResponse("the token may not do that; says who may"),
  429: problemResponse("too many requests of the tenant at once", TooMany),
} satisfies RouteConfig["responses"]
