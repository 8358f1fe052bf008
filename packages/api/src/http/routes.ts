import { createFewAtOnce, type Tenants } from "@docket/core"
import { notRecorded, records } from "@docket/core/operations"
import { OpenAPIHono } from "@hono/zod-openapi"
import type { Audit } from "../audit/audit.ts"
import type { Auth } from "../auth/auth.ts"
import { describeMcpRoute } from "../mcp/described-mcp.ts"
import { mcpRoutes } from "../mcp/mcp-routes.ts"
import { sendMcpError } from "../mcp/send-mcp-error.ts"
import { describeOpencodeRoutes } from "../opencode/described-opencode.ts"
import { opencodeRoutes } from "../opencode/opencode-routes.ts"
import { sendOpencodeError } from "../opencode/send-opencode-error.ts"
import type { LinkReaders } from "../public/link-reader.ts"
import { hashing, serveUnlock } from "../public/serve-unlock.ts"
import { shareRoutes } from "../public/share-routes.ts"
import { type CreateTryLimit, createTryLimit } from "../public/try-limit.ts"
import { createUnlockLimit } from "../public/unlock-limit.ts"
import { describeRoutes } from "../v1/openapi.ts"
import { sendV1Error } from "../v1/send-v1-error.ts"
import { v1Routes } from "../v1/v1-routes.ts"
import type { Workspaces } from "../workspaces.ts"
import { answered, answerJson, type NodeEnv } from "./answer.ts"
import { addAttachmentRoutes } from "./attachment-routes.ts"
import { addAuditRoutes } from "./audit-routes.ts"
import type { CallLimit } from "./call-limit.ts"
import { describePlainRoutes } from "./described-routes.ts"
import { guardedRoutes } from "./guarded-routes.ts"
import { createImportLimit } from "./import-limit.ts"
import type { Ingress } from "./ingress.ts"
import { createListText } from "./list-text.ts"
import { serveLogin, serveLoginCode, serveLogout } from "./login-routes.ts"
import { configSchemaPath, mcpPath } from "./paths.ts"
import { notFound, sendError, sendJsonText, sendRefusal } from "./respond.ts"
import { type SignedInEnv, signedIn } from "./signed-in.ts"
import type { StreamLimit } from "./stream-limit.ts"
import { addTenantRoutes } from "./tenant-routes.ts"
import { addTokenRoutes } from "./token-routes.ts"
import { addTransferRoutes } from "./transfer-routes.ts"

export interface RoutesDeps {
  workspaces: Workspaces
  links: LinkReaders
  auth: Auth
  ingress: Ingress
  tenants: Tenants
  /** Without it, nothing is recorded. */
  audit?: Audit | null | undefined
  /** Without it, there is no limit. */
  callLimit?: CallLimit | null | undefined
  streams: StreamLimit
  version: string
  clock(): number
  /** Makes limits that hold over all processes of the service; without it, this one is alone. */
  createTryLimit?: CreateTryLimit | undefined
  /** Logs unexpected errors, which are answered as "internal error". */
  log(text: string, error: unknown): void
  /** Logs what programs want to be read in the log of the service. */
  report(line: string): void
}

/** Every route of the API except tRPC. Those before the login are open, or check the caller themselves. */
export function createRoutes(deps: RoutesDeps): OpenAPIHono<SignedInEnv> {
  const { auth, ingress, links, streams, tenants, version, log, audit = null } = deps
  const app = new OpenAPIHono<SignedInEnv>()
  // One handler for all: an app with its own handler makes Hono run each route in an extra chain.
  app.onError((error, { env, req }) => {
    if (hungUp(env)) return answered()
    return answered(sendOf(req.path)(env.outgoing, error, log))
  })
  app.notFound((c) => answered(sendRefusal(c.env.outgoing, notFound)))
  app.get(configSchemaPath, async (c) => {
    const { configJsonSchema } = await import("@docket/core/config-schema")
    return answerJson(c, configJsonSchema(), 200)
  })
  app.post("/api/login", ({ env }) => answered(serveLogin({ auth, ingress, audit }, env.incoming, env.outgoing)))
  const unlocking = createFewAtOnce(hashing)
  const { createTryLimit: create = (_, options) => createTryLimit({ ...options, clock: deps.clock }) } = deps
  const unlockLimit = createUnlockLimit(create)
  const shareDeps = { auth, ingress, links, unlocking, unlockLimit }
  app.route("/api/share", shareRoutes({ ...shareDeps, streams }))
  for (const pages of ["/share/*", "/embed/*"])
    app.post(pages, ({ env }) => answered(serveUnlock(shareDeps, env.incoming, env.outgoing)))
  const imports = createImportLimit()
  const documents = describeRoutes(app, version)
  app.route("/v1", v1Routes({ ...deps, imports, documents }))
  app.route("/opencode", opencodeRoutes({ ...deps, imports, document: documents["3.1"] }))
  app.route("/mcp", mcpRoutes({ ...deps, imports }))
  app.use(signedIn(deps))
  const routes = guardedRoutes(app)
  routes.post("/api/logout", "self", records("sign-out"), ({ env }) =>
    answered(serveLogout({ auth, ingress }, env.incoming, env.outgoing)),
  )
  routes.post("/api/login-code", "account", notRecorded("a team has no links that sign in"), ({ env }) =>
    answered(serveLoginCode(auth, ingress.originOf(env.incoming), env.outgoing)),
  )
  addTokenRoutes(routes, tenants)
  addTenantRoutes(routes, tenants)
  addTransferRoutes(routes, imports)
  addAttachmentRoutes(routes)
  addAuditRoutes(routes, audit)
  const listText = createListText()
  describePlainRoutes(app)
  describeOpencodeRoutes(app)
  describeMcpRoute(app)
  routes.all("/session/:id/todo", "read", async ({ env, req, var: { useCases } }) => {
    const list = await (await useCases()).todo.list({ sessionID: req.param("id") })
    return answered(sendJsonText(env.outgoing, 200, listText(list)))
  })
  return app
}

/** Each kind of program reads errors in its own form. */
function sendOf(path: string): typeof sendError {
  if (path.startsWith("/v1/")) return sendV1Error as typeof sendError
  if (path === mcpPath) return sendMcpError
  return path.startsWith("/opencode/") ? sendOpencodeError : sendError
}

/** Whether the caller hung up while sending the body. That is no failure, and nobody waits for an answer. */
function hungUp({ incoming, outgoing }: NodeEnv["Bindings"]): boolean {
  return outgoing.destroyed && !incoming.complete
}
