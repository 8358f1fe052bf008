import type { HttpBindings } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import type { TypedResponse } from "hono"
import type { StatusCode } from "hono/utils/http-status"
import { sendJson } from "./respond.ts"

/** Gives every route Node's own request and response. */
export interface NodeEnv {
  Bindings: HttpBindings
}

/** Waits until the answer was written to Node's own response. Returns the value that tells Hono so. */
export async function answered(work?: void | Promise<void>): Promise<Response> {
  await work
  return RESPONSE_ALREADY_SENT
}

/**
 * Answers in JSON on Node's own response. Copying a web `Response` into it would cost more CPU than the rest of a short
 * request. The return type tells the route's definition what was sent.
 */
export function answerJson<T, S extends StatusCode>(
  { env }: { env: HttpBindings },
  body: T,
  status: S,
): Response & TypedResponse<T, S, "json"> {
  sendJson(env.outgoing, status, body)
  return alreadySent()
}

/** Stands for the answer that Node's response already has, with the type of what was sent. */
export function alreadySent<T, S extends StatusCode>(): Response & TypedResponse<T, S, "json"> {
  // Only the type matters: Hono's own `c.json` casts in the same way.
  return RESPONSE_ALREADY_SENT as Response & TypedResponse<T, S, "json">
}
