import type { IncomingMessage, ServerResponse } from "node:http"
import type { RoutesDeps } from "./routes.ts"

type Serve = (req: IncomingMessage, res: ServerResponse) => Promise<unknown>

/**
 * Loads the plain routes, with Hono and their schemas, by the first call; if that fails, the next call tries again.
 * They are an eighth of all code that a start would load, and a browser only needs tRPC.
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
  // Keeps the global web classes of the process as they are. Node itself reads the rest of a refused body.
  const options = { overrideGlobalObjects: false, autoCleanupIncoming: false }
  return getRequestListener(createRoutes(deps).fetch, options)
}
