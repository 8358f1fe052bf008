import type { Capability } from "@docket/core/operations"
import { type RouteConfig, z } from "@hono/zod-openapi"
import { jsonResponse } from "../v1/openapi-parts.ts"

/** A refusal of a plain route. It has the form of a tRPC error, so that clients read both in the same way. */
const PlainError = z.object({
  error: z.object({
    code: z.number().int(),
    message: z.string().openapi({ description: "says what to do" }),
    data: z.object({
      code: z.string(),
      httpStatus: z.number().int(),
      docketCode: z.string().nullable(),
      path: z.string().nullable(),
    }),
  }),
})

export const refused = (description: string) => jsonResponse(description, PlainError)
export const invalid = { 400: refused("the request is not valid; says what is wrong") }
export const missing = { 404: refused("there is no such thing") }

/** The refusals that every call behind the login may get. */
const refusals = {
  401: refused("not signed in"),
  403: refused("the role or the key may not do that; says who may"),
  429: refused("too many calls; `retry-after` says when to send the next"),
} satisfies RouteConfig["responses"]

/** Describes a plain route that needs a capability. A tenant's token does not open it. */
export function behindLogin(capability: Capability, route: RouteConfig): RouteConfig {
  const responses = { ...route.responses, ...refusals }
  return { ...route, responses, security: [{ key: [] }], "x-capability": capability }
}

/** Describes a plain route that needs no token. */
export function openToAll(route: RouteConfig): RouteConfig {
  return { ...route, security: [] }
}

export function textOf(type: string, description: string) {
  return { description, content: { [type]: { schema: z.string() } } }
}

export function pathText(description: string) {
  return z.string().openapi({ param: { description } })
}

/** A kept file, under the type of its content. */
export const keptFile = {
  description: "the file",
  content: Object.fromEntries(
    ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "application/octet-stream"].map(
      (type) => [type, { schema: z.string() }],
    ),
  ),
}
