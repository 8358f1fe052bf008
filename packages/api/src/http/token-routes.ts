import { DocketError, type Tenants } from "@docket/core"
import { ApiTokenID } from "@docket/core/schema"
import { Hono } from "hono"
import { z } from "zod"
import { answerJson, type NodeEnv } from "./answer.ts"
import { readJson } from "./read-json.ts"

const NewToken = z.object({ tenant: z.string().default("local"), name: z.string().trim().min(1).max(200) })
const Revoked = z.object({ id: z.string() })

/**
 * Tokens for `/v1`, for whoever is signed in: `POST /api/tokens {tenant, name}` makes one and is the only
 * answer that shows it, `GET /api/tokens?tenant=` lists those of one tenant or of all, `POST /api/tokens/revoke
 * {id}` ends one.
 */
export function tokenRoutes(tenants: Tenants): Hono<NodeEnv> {
  const app = new Hono<NodeEnv>()
  app.get("/", async (c) => answerJson(c, { tokens: await tenants.listTokens(c.req.query("tenant")) }, 200))
  app.post("/", async (c) => {
    const { tenant, name } = await readJson(c.env.incoming, NewToken)
    const { token, info } = await tenants.createToken({ tenantID: tenant, name })
    return answerJson(c, { token, ...info }, 201)
  })
  app.post("/revoke", async (c) => {
    const { id } = await readJson(c.env.incoming, Revoked)
    if (!ApiTokenID.safeParse(id).success) throw new DocketError("token_not_found", `There is no token ${id}.`)
    return answerJson(c, await tenants.revokeToken(id), 200)
  })
  return app
}
