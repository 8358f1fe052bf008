import type { z } from "@hono/zod-openapi"
import type { MiddlewareHandler } from "hono"
import { refuseUnknownKeys } from "../input/unknown-keys.ts"

/** What a route takes of a request, as its definition says. */
interface Taken {
  query?: z.ZodType | undefined
  body?: { content: object } | undefined
}

/** Refuses parameters and keys that a route does not know. For `middleware` of every route. */
export function refuseUnknown({ query, body }: Taken): MiddlewareHandler {
  const json = Reflect.get(body?.content ?? {}, "application/json") as { schema: z.ZodType } | undefined
  return async ({ req }, next) => {
    refuseUnknownKeys(query ?? null, req.query())
    // What is no JSON is refused where the body is read.
    if (json !== undefined) refuseUnknownKeys(json.schema, await req.json().catch(() => null))
    await next()
  }
}
