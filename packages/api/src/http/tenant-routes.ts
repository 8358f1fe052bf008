import type { Tenants } from "@docket/core"
import { Hono } from "hono"
import { z } from "zod"
import { answerJson, type NodeEnv } from "./answer.ts"
import { readJson } from "./read-json.ts"

const Removed = z.object({ tenant: z.string().min(1).max(200) })

/**
 * Tenants, for whoever is signed in: `GET /api/tenants` counts what each owns, `POST /api/tenants/remove {tenant}`
 * removes one with all of it.
 */
export function tenantRoutes(tenants: Tenants): Hono<NodeEnv> {
  const app = new Hono<NodeEnv>()
  app.get("/", async (c) => answerJson(c, { tenants: await tenants.list() }, 200))
  app.post("/remove", async (c) => {
    const { tenant } = await readJson(c.env.incoming, Removed)
    return answerJson(c, await tenants.remove(tenant), 200)
  })
  return app
}
