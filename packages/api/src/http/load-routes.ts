import type { IncomingMessage, ServerResponse } from "node:http"
import type { RoutesDeps } from "./routes.ts"

type Serve = (req: IncomingMessage, res: ServerResponse) => Promise<unknown>

/**
 * The plain routes, with Hono and the schemas that describe them: an eighth of all that a start would load, and a browser
 * asks by tRPC. Loaded once, by the first call; one that fails is tried again by the next.
 */
export function loadRoutes(deps: RoutesDeps): () => Promise<Serve> {
  let loaded: Promise<Serve> | undefined
  return () => {
    loaded ??= load(deps).catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

async function load(deps: RoutesDeps): Promise<Serve> {
  const [{ getRequestListener }, { createRoutes }] = await Promise.all([
    import("@hono/node-server"),
    import("./routes.ts"),
  ])
  // The web's own classes stay as they are for the rest of the process; Node itself reads the rest of a refused body.
  const options = { overrideGlobalObjects: false, autoCleanupIncoming: false }
  return getRequestListener(createRoutes(deps).fetch, options)
}
