import { notRecorded, records } from "@docket/core/operations"
import { visibleText } from "@docket/core/rule"
import type * as Sdk from "@opencode-ai/sdk/v2/types"
import { z } from "zod"
import { answerJson } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import {
  bodyOf,
  callOf,
  namedProjectID,
  type OpencodeApp,
  type OpencodeContext,
  type OpencodeDeps,
} from "./opencode-app.ts"
import { OpencodeError } from "./opencode-error.ts"

const LogBody = z.object({
  service: z.string().max(200),
  level: z.enum(["debug", "info", "error", "warn"]),
  message: z.string(),
})
const KeyBody = z.object({ type: z.string(), key: z.string().trim().min(1).max(10_000).optional() })

/** Characters of a line. */
const mostLogged = 2_000

/** The service itself: whether it is there, what it can do, its log, and the keys of providers. */
export function addServiceRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  app.get("/global/health", requires("read"), (c) =>
    answerJson(c, { healthy: true, version: deps.version } satisfies Sdk.GlobalHealthResponse, 200),
  )
  app.get("/doc", requires("read"), (c) => {
    const { paths = {}, ...document } = deps.document()
    const own = Object.entries(paths).filter(([path]) => path.startsWith("/opencode/"))
    return answerJson(c, { ...document, paths: Object.fromEntries(own) }, 200)
  })
  app.post("/log", requires("prompt", notRecorded("it only writes a line to the log")), async (c) => {
    const { service, level, message } = await bodyOf(c, LogBody)
    const line = `${c.var.identity.name} (${level}): ${service}: ${message}`.slice(0, mostLogged)
    deps.report(visibleText(line).replaceAll(/\r?\n/g, " "))
    return answerJson(c, true satisfies Sdk.AppLogResponse, 200)
  })
  app.put("/auth/:providerID", requires("providers.manage", records("provider.changed")), async (c) => {
    const call = callOf(c, deps)
    const { type, key } = await bodyOf(c, KeyBody)
    if (type !== "api" || key === undefined)
      throw new OpencodeError(400, "Docket keeps keys alone (type api). Sign in to a provider in Docket's settings.")
    await call.agents.provider.saveKey({ providerID: providerOf(c), key, projectID: await namedProjectID(call) })
    return answerJson(c, true satisfies Sdk.AuthSetResponse, 200)
  })
  app.delete("/auth/:providerID", requires("providers.manage", records("provider.changed")), async (c) => {
    const call = callOf(c, deps)
    await call.agents.provider.removeKey({ providerID: providerOf(c), projectID: await namedProjectID(call) })
    return answerJson(c, true satisfies Sdk.AuthRemoveResponse, 200)
  })
}

/** @throws OpencodeError 400 */
function providerOf(c: OpencodeContext): string {
  const id = c.req.param("providerID") ?? ""
  if (id !== "" && id.length <= 100) return id
  throw new OpencodeError(400, "The address names no provider.")
}
