import type { z } from "@hono/zod-openapi"
import type { MiddlewareHandler } from "hono"
import { refuseUnknownKeys } from "../input/unknown-keys.ts"

/** What a route takes of a request, by its definition. */
interface RouteInput {
  query?: z.ZodType | undefined
  body?: { content: object } | undefined
}

/** Refuses parameters and keys that a route does not know. Part of the `middleware` of every route. */
export function refuseUnknown({ query, body }: RouteInput): MiddlewareHandler {
  const json = Reflect.get(body?.content ?? {}, "application/json") as { schema: z.ZodType } | undefined
  return async ({ req }, next) => {
    refuseUnknownKeys(query ?? null, req.query())
    // A body that is no JSON is refused where it is read.
    if (json !== undefined) refuseUnknownKeys(json.schema, await req.json().catch(() => null))
    await next()
  }
}
