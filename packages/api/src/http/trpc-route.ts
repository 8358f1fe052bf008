import type { IncomingMessage, ServerResponse } from "node:http"
import { isDocketError, type NodeService, TooManyRequestsError } from "@docket/core"
import type { TRPCError } from "@trpc/server"
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http"
import type { Audit } from "../audit/audit.ts"
import type { Auth } from "../auth/auth.ts"
import type { ApiContext } from "../context.ts"
import { appRouter } from "../router.ts"
import type { TeamService } from "../team/team-service.ts"
import { useCasesOf, type Workspaces } from "../workspaces.ts"
import { maxBodyBytes } from "./body-limit.ts"
import { isFeed, namesFeed, serveFeed } from "./feed-route.ts"
import type { Ingress } from "./ingress.ts"
import { idempotencyKeyOf } from "./key-of.ts"
import { notSignedIn, sendRefusal } from "./respond.ts"
import { sendWhole } from "./send-whole.ts"
import { type StreamLimit, sendTooManyStreams } from "./stream-limit.ts"

interface TrpcDeps {
  workspaces: Workspaces
  nodes: NodeService
  auth: Auth
  ingress: Ingress
  streams: StreamLimit
  team?: TeamService | null | undefined
  audit?: Audit | null | undefined
  log(text: string, error: unknown): void
}

export const trpcPath = "/api/trpc/"

/** How many procedures one request may name. The call limit counts each request once. */
const mostCalls = 50

const tooManyAtOnce = {
  status: 400,
  code: "BAD_REQUEST",
  message: `a request calls at most ${mostCalls} procedures; send several`,
} as const

/** Serves one procedure, or several with commas between their names, to somebody who is signed in. */
export async function serveTrpc(
  { workspaces, nodes, auth, ingress, streams, team = null, audit = null, log }: TrpcDeps,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const identity = await auth.identify(req)
  if (identity === null) return sendRefusal(res, notSignedIn)
  const { pathname, searchParams: query } = new URL(req.url ?? "/", "http://localhost")
  const path = pathname.slice(trpcPath.length)
  if (path.split(/,|%2c/i).length > mostCalls) return sendRefusal(res, tooManyAtOnce)
  if (namesFeed(path) && !streams.open(identity, res)) return sendTooManyStreams(res)
  const createContext = async (): Promise<ApiContext> => ({
    identity,
    identifyAgain: () => auth.identify(req),
    runtime: await useCasesOf(workspaces, identity, idempotencyKeyOf(req)),
    origin: ingress.originOf(req),
    nodes,
    team,
    audit,
    recorder: audit?.of(identity, req, ingress) ?? null,
  })
  const onError = ({ error, path: procedure }: { error: TRPCError; path?: string | undefined }) => {
    if (isBug(error) && !isHangUp(error, res)) log(`${procedure ?? "request"} failed`, error.cause ?? error)
  }
  if (isFeed(req, { path, query })) return serveFeed({ query, createContext, onError }, req, res)
  sendWhole(res)
  const maxBodySize = maxBodyBytes
  await nodeHTTPRequestHandler({
    router: appRouter,
    req,
    res,
    path,
    maxBodySize,
    createContext,
    onError,
    responseMeta: ({ errors }) => ({ headers: retryAfter(errors) }),
  })
}

/** The header that says when all calls of a request can be sent again; none without a refusal. */
function retryAfter(errors: readonly TRPCError[]): Record<string, string> {
  const waits = errors.flatMap(({ cause }) => (cause instanceof TooManyRequestsError ? cause.seconds : []))
  return waits.length === 0 ? {} : { "retry-after": String(Math.max(...waits)) }
}

function isBug(error: { code: string; cause?: unknown }): boolean {
  return error.code === "INTERNAL_SERVER_ERROR" && !isDocketError(error.cause)
}

/** Whether the caller hung up while waiting for a turn. That is no failure. */
function isHangUp({ cause }: { cause?: unknown }, res: ServerResponse): boolean {
  return res.destroyed && cause instanceof DOMException && cause.name === "AbortError"
}
