import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import { z } from "@hono/zod-openapi"
import type { TypedResponse } from "hono"
import type { StatusCode } from "hono/utils/http-status"
import { alreadySent, type NodeEnv } from "../http/answer.ts"
import { sendBody } from "../http/respond.ts"

const fields = {
  error: z.string().openapi({ description: "what is wrong, and what to do" }),
  type: z.literal("about:blank").openapi({ description: "the status says what kind of problem it is" }),
  title: z.string().openapi({ description: "the status in words" }),
  status: z.number().int(),
  detail: z.string().openapi({ description: "the same as `error`" }),
  instance: z.string().openapi({ description: "the path that was called" }),
  code: z.string().optional().openapi({ description: "of an expected failure, such as `session_not_found`" }),
}

/** A refusal: `error`, and beside it the fields of RFC 9457. */
export const Problem = z.object(fields).openapi("Problem")
export type Problem = z.infer<typeof Problem>

/** A refusal of one call too many. */
export const TooMany = z
  .object({ ...fields, reason: z.string(), retry_after_seconds: z.number() })
  .openapi("TooManyProblem")

export const problemType = "application/problem+json"

/** Sends a refusal. Its content type is that of JSON, unless the caller asks for that of RFC 9457. */
export function sendProblem(res: ServerResponse, status: number, message: string, more: object = {}): void {
  const body: Problem = {
    error: message,
    ...more,
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: message,
    instance: res.req.url?.split("?")[0] ?? "",
  }
  const type = asksForProblem(res.req) ? problemType : "application/json; charset=utf-8"
  void sendBody(res.setHeader("content-type", type), status, Buffer.from(JSON.stringify(body)))
}

/** Answers a route with a refusal that has fields of its own. */
export function answerProblem<S extends StatusCode, More extends object>(
  { env }: { env: NodeEnv["Bindings"] },
  { status, message, more }: { status: S; message: string; more: More },
): Response & TypedResponse<Problem & More, S, "json"> {
  sendProblem(env.outgoing, status, message, more)
  return alreadySent()
}

/** Whether the `Accept` of a request names the type of RFC 9457. */
export function asksForProblem({ headers: { accept = "" } }: IncomingMessage): boolean {
  return accept.split(",").some((one) => {
    const [type = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase())
    return type === problemType && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}
