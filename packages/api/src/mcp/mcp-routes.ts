import { randomUUID } from "node:crypto"
import { notRecorded } from "@docket/core/operations"
import { Hono } from "hono"
import { maxBodyBytes } from "../http/body-limit.ts"
import { requires } from "../http/guarded-routes.ts"
import type { Ingress } from "../http/ingress.ts"
import { readBody } from "../http/read-body.ts"
import { streamRetryAfter, tooManyStreams } from "../http/stream-limit.ts"
import { askerOf } from "../operation-procedures.ts"
import { identifyByToken, limitCalls, type TokenLoginDeps } from "../v1/token-login.ts"
import type { V1Context, V1Env } from "../v1/v1-app.ts"
import { V1Error } from "../v1/v1-error.ts"
import { answerIn, type PostedAnswer, takeAnswer } from "./ask-client.ts"
import { beginsSession, readSession, sessionHeader } from "./client-session.ts"
import type { McpCaller } from "./mcp-server.ts"

export interface McpDeps extends TokenLoginDeps {
  ingress: Ingress
  version: string
  clock(): number
  log(text: string, error: unknown): void
}

/** The header that names a client's session. */
const sessionName = "mcp-session-id"

/**
 * The Model Context Protocol over HTTP. Each request is answered from itself and the rows, so any node can answer it:
 * the header of the client's session holds all that it says.
 */
export function mcpRoutes(deps: McpDeps): Hono<V1Env> {
  const app = new Hono<V1Env>()
  app.use(identifyByToken(deps), limitCalls(deps))
  app.post("/", requires("read", notRecorded("each tool that changes something is recorded by itself")), async (c) => {
    const { identity, streams } = c.var
    if (!streams.open(identity, c.env.outgoing)) {
      c.env.outgoing.setHeader("retry-after", String(streamRetryAfter))
      throw new V1Error(429, tooManyStreams)
    }
    const body = await readBody(c.env.incoming, maxBodyBytes)
    if (body === null) throw new V1Error(413, `the body is larger than ${maxBodyBytes} bytes`)
    const message = jsonOf(body.toString())
    const posted = answerIn(message)
    if (posted !== null) return reply(c, deps, posted)
    const began = beginsSession(message, randomUUID)
    const { serveMcp } = await import("./mcp-server.ts")
    const caller = callerOf(c, deps)
    const response = await serveMcp(
      { ...caller, client: began ?? readSession(c.req.header(sessionName)) },
      { request: c.req.raw, message },
    )
    if (began !== null) response.headers.set(sessionName, sessionHeader(began))
    return response
  })
  // GET is the protocol's stream of a server's own messages, DELETE the end of a session: Docket has neither.
  app.all("/", () => {
    throw new V1Error(405, "send a message of the protocol as POST")
  })
  return app
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new V1Error(400, "the body is not JSON")
  }
}

/** @throws V1Error 404 for a tenant without agents */
function callerOf(c: V1Context, { ingress, version, clock, log }: McpDeps): Omit<McpCaller, "client"> {
  const { identity, recorder, tenant, isStillAllowed } = c.var
  if (tenant.agents === null) throw new V1Error(404, "this token is of a tenant that runs no agents")
  const origin = ingress.originOf(c.env.incoming)
  const asker = { ...askerOf({ identity, origin, recorder }), actor: { kind: "api" as const, name: identity.name } }
  return { identity, isStillAllowed, recorder, tenant, agents: tenant.agents, origin, asker, version, clock, log }
}

/** Answers a permission request with what the client's user said. Without a clear answer it goes on waiting. */
async function reply(c: V1Context, deps: McpDeps, answer: PostedAnswer): Promise<Response> {
  await takeAnswer(callerOf(c, deps), answer)
  return new Response(null, { status: 202 })
}
