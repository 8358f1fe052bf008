import type { HttpBindings } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import type { TypedResponse } from "hono"
import type { StatusCode } from "hono/utils/http-status"
import { sendJson } from "./respond.ts"

/** Every route has Node's own request and response. */
export interface NodeEnv {
  Bindings: HttpBindings
}

/** What Hono gets instead of an answer once Node's response has it. */
export async function answered(work?: void | Promise<void>): Promise<Response> {
  await work
  return RESPONSE_ALREADY_SENT
}

/**
 * Answers in JSON, on Node's response: a web `Response` is copied into it, which costs more CPU than all of a short
 * request otherwise. The type tells a route's definition what was sent.
 */
export function answerJson<T, S extends StatusCode>(
  { env }: { env: HttpBindings },
  body: T,
  status: S,
): Response & TypedResponse<T, S, "json"> {
  sendJson(env.outgoing, status, body)
  return alreadySent()
}

/** The answer that Node's response has already, by the type of what was sent. */
export function alreadySent<T, S extends StatusCode>(): Response & TypedResponse<T, S, "json"> {
  // The type is all there is of it: Hono's own `c.json` makes it up in the same way.
  return RESPONSE_ALREADY_SENT as Response & TypedResponse<T, S, "json">
}
