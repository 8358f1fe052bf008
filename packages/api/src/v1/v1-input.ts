import type { TenantUseCases } from "@docket/core"
import { SessionID } from "@docket/core/schema"
import { type Hook, z } from "@hono/zod-openapi"
import type { MiddlewareHandler } from "hono"
import { createMiddleware } from "hono/factory"
import { maxBodyBytes } from "../http/body-limit.ts"
import { readBody } from "../http/read-body.ts"
import type { V1Env } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"

/** Reads the body as JSON, whatever its content type says. Part of the `middleware` of a route with a body. */
export const readJsonBody = createMiddleware<V1Env>(async ({ env, req }, next) => {
  const rawBody = await readBody(env.incoming, maxBodyBytes)
  if (rawBody === null) throw new V1Error(413, `the body is larger than ${maxBodyBytes} bytes`)
  // Hono's bridge to Node looks here for a body that is already read.
  Object.assign(env.incoming, { rawBody })
  if (env.incoming.headers["content-type"] !== "application/json")
    req.raw.headers.set("content-type", "application/json")
  await next()
})

/** Refuses input that the route's schema does not take, and names the first problem. */
export const refuseInvalid: Hook<unknown, V1Env, string, unknown> = (result) => {
  if (!result.success) throw new V1Error(400, problemOf(result.error), result.target === "param" ? "text" : "json")
}

/** The first problem of a value, in one sentence. */
export function problemOf({ issues: [issue] }: z.core.$ZodError): string {
  const { path = [], message = "" } = issue ?? {}
  if (path.length === 0) return message.startsWith("Invalid input") ? "body must be a JSON object" : message
  return message.includes(path.join(".")) ? message : `${path.join(".")}: ${message}`
}

/** `{id}` of an address as the number of an item. A number that is too large becomes 0, which no item has. */
export function itemParams(kind: string) {
  const id = z
    .string()
    .regex(/^\d+$/, { error: `invalid ${kind} id` })
    .transform((text) => (Number.isSafeInteger(Number(text)) ? Number(text) : 0))
  return z.object({ id: id.openapi({ type: "integer", param: { description: `the ${kind}'s number` } }) })
}

/** An id in an address, of which only the form is checked: later an unknown id and another tenant's get one answer. */
export function idInAddress(schema: z.ZodType<string>, what: string) {
  return z.string().refine((text) => schema.safeParse(text).success, { error: `invalid ${what} id` })
}

/** Checks the `{id}` of an address before its method. */
export function checkItem(params: z.ZodType): MiddlewareHandler<V1Env> {
  return async ({ req }, next) => {
    const result = params.safeParse(req.param())
    if (!result.success) throw new V1Error(400, problemOf(result.error), "text")
    await next()
  }
}

/** The session that a `conversation_id` names; null for 0. @throws V1Error 400 for one that the tenant does not have */
export async function conversation(
  { hasSession }: Pick<TenantUseCases, "hasSession">,
  id: string | number,
): Promise<string | null> {
  if (id === 0) return null
  const session = SessionID.safeParse(id)
  if (session.success && (await hasSession(session.data))) return session.data
  throw new V1Error(...unknownConversation)
}

export const unknownConversation = [400, "conversation_id does not exist for this tenant"] as const

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
