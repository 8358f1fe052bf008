import type { IncomingMessage, ServerResponse } from "node:http"
import type { Tenants } from "@docket/core"
import { z } from "zod"
import { readJson } from "./read-json.ts"
import { notFound, sendJson, sendRefusal } from "./respond.ts"

const Removed = z.object({ tenant: z.string().min(1).max(200) })

/**
 * Tenants, for whoever is signed in: `GET /api/tenants` counts what each owns, `POST /api/tenants/remove {tenant}`
 * removes one with all of it.
 */
export async function serveTenants(
  tenants: Tenants,
  req: IncomingMessage,
  res: ServerResponse,
  { pathname }: URL,
): Promise<void> {
  if (pathname === "/api/tenants" && req.method === "GET") {
    return sendJson(res, 200, { tenants: await tenants.list() })
  }
  if (pathname === "/api/tenants/remove" && req.method === "POST") {
    return sendJson(res, 200, await tenants.remove((await readJson(req, Removed)).tenant))
  }
  sendRefusal(res, notFound)
}
