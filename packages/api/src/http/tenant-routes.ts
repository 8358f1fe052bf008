import type { Tenants } from "@docket/core"
import { records } from "@docket/core/operations"
import { z } from "zod"
import { answerJson } from "./answer.ts"
import type { GuardedRoutes } from "./guarded-routes.ts"
import { readJson } from "./read-json.ts"

const RemovalBody = z.object({ tenant: z.string().min(1).max(200) })

/**
 * Tenants, for people who run the service: `GET /api/tenants` counts what each owns, `POST /api/tenants/remove
 * {tenant}` removes one with everything in it.
 */
export function addTenantRoutes(routes: GuardedRoutes, tenants: Tenants): void {
  routes.get("/api/tenants", "service.manage", async (c) => answerJson(c, { tenants: await tenants.list() }, 200))
  routes.post("/api/tenants/remove", "service.manage", records("workspace.removed"), async (c) => {
    const { tenant } = await readJson(c.env.incoming, RemovalBody)
    await c.var.checkAgain("service.manage")
    const removed = await tenants.remove(tenant)
    c.var.recorder?.about({ workspace: tenant })
    return answerJson(c, removed, 200)
  })
}
