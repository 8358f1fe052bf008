import { Hono } from "hono"
import { identifyByToken, limitCalls, type TokenLoginDeps } from "../v1/token-login.ts"
import type { V1Env } from "../v1/v1-app.ts"
import { addAskRoutes } from "./ask-routes.ts"
import { addCommandRoutes } from "./command-routes.ts"
import { addEventRoutes } from "./event-route.ts"
import { keepsToProject, type OpencodeApp, type OpencodeDeps } from "./opencode-app.ts"
import { OpencodeError } from "./opencode-error.ts"
import { addProjectRoutes } from "./project-routes.ts"
import { addPromptRoutes } from "./prompt-routes.ts"
import { addServiceRoutes } from "./service-routes.ts"
import { addSessionChangeRoutes } from "./session-change-routes.ts"
import { addSessionRoutes } from "./session-routes.ts"
import { addSettingsRoutes } from "./settings-routes.ts"
import { addShareRoutes } from "./share-routes.ts"

/**
 * Routes in the words of OpenCode's server, so that its clients and plugins work with Docket's sessions. Every call has
 * a token. What OpenCode has besides answers 404, with what is here.
 */
export function opencodeRoutes(deps: OpencodeDeps & TokenLoginDeps): OpencodeApp {
  const app: OpencodeApp = new Hono<V1Env>()
  app.use(identifyByToken(deps), limitCalls(deps))
  app.use("/session/:id/*", keepsToProject(deps))
  addServiceRoutes(app, deps)
  addSettingsRoutes(app, deps)
  addProjectRoutes(app, deps)
  addSessionRoutes(app, deps)
  addSessionChangeRoutes(app, deps)
  addShareRoutes(app, deps)
  addPromptRoutes(app, deps)
  addCommandRoutes(app, deps)
  addAskRoutes(app, deps)
  addEventRoutes(app, deps)
  const served = app.routes.flatMap(({ method, path }) => (method === "ALL" ? [] : [`${method} ${path}`]))
  const all = [...new Set(served)].join(", ")
  app.all("*", ({ req }) => {
    const asked = `${req.method} ${req.path.slice("/opencode".length)}`
    throw new OpencodeError(404, `Docket has no ${asked} for OpenCode's clients. It has: ${all}.`)
  })
  return app
}
