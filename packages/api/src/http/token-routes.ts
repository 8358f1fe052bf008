import type { IncomingMessage, ServerResponse } from "node:http"
import { DocketError, type Tenants } from "@docket/core"
import { ApiTokenID } from "@docket/core/schema"
import { z } from "zod"
import { readJson } from "./read-json.ts"
import { notFound, sendJson, sendRefusal } from "./respond.ts"

const NewToken = z.object({ tenant: z.string().default("local"), name: z.string().trim().min(1).max(200) })
const Revoked = z.object({ id: z.string() })

/**
 * Tokens for `/v1`, for whoever is signed in: `POST /api/tokens {tenant, name}` makes one and is the only
 * answer that shows it, `GET /api/tokens?tenant=` lists those of one tenant or of all, `POST /api/tokens/revoke
 * {id}` ends one.
 */
export async function serveTokens(
  tenants: Tenants,
  req: IncomingMessage,
  res: ServerResponse,
  url: URL,
): Promise<void> {
  if (url.pathname === "/api/tokens" && req.method === "GET") {
    const tokens = await tenants.listTokens(url.searchParams.get("tenant") ?? undefined)
    return sendJson(res, 200, { tokens })
  }
  if (url.pathname === "/api/tokens" && req.method === "POST") {
    const { tenant, name } = await readJson(req, NewToken)
    const { token, info } = await tenants.createToken({ tenantID: tenant, name })
    return sendJson(res, 201, { token, ...info })
  }
  if (url.pathname === "/api/tokens/revoke" && req.method === "POST") {
    const { id } = await readJson(req, Revoked)
    if (!ApiTokenID.safeParse(id).success) throw new DocketError("token_not_found", `There is no token ${id}.`)
    return sendJson(res, 200, await tenants.revokeToken(id))
  }
  sendRefusal(res, notFound)
}
