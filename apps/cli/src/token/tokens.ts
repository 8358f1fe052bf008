import { ApiToken } from "@docket/core/schema"
import { z } from "zod"
import { callService } from "../call-service.ts"
import { tableLines } from "../table.ts"

/** A service, and the token from its token file. */
interface Service {
  url: string
  token: string
}

const Made = z.object({ token: z.string() })
const Info = ApiToken.omit({ tokenHash: true })
const Listed = z.object({ tokens: z.array(Info) })

/** Creates a `/v1` token on a running service. @throws UsageError with the reason when the service refuses */
export async function createToken(
  service: Service,
  { tenant, name }: { tenant?: string; name: string },
): Promise<string> {
  return (await callService(service, { path: "/api/tokens", body: { tenant, name } }, Made)).token
}

/** The tokens as lines under a heading, newest first. They contain no secrets. */
export async function listTokens(
  service: Service,
  { tenant, all = false }: { tenant?: string; all?: boolean },
): Promise<string[]> {
  const query = tenant === undefined ? "" : `?tenant=${encodeURIComponent(tenant)}`
  const { tokens } = await callService(service, { path: `/api/tokens${query}` }, Listed)
  const rows = tokens
    .filter(({ time }) => all || time.revoked === null)
    .map(({ id, tenantID, name, time }) => {
      const used = time.used === null ? "never" : minute(time.used)
      return [id, tenantID, minute(time.created), used, name + (time.revoked === null ? "" : " (revoked)")]
    })
  return rows.length === 0 ? ["no tokens"] : tableLines([["id", "tenant", "created", "last used", "name"], ...rows])
}

/** @throws UsageError when there is no such token */
export async function revokeToken(service: Service, id: string): Promise<string> {
  const { name, tenantID } = await callService(service, { path: "/api/tokens/revoke", body: { id } }, Info)
  return `revoked "${name}" of tenant ${tenantID}`
}

/** To the minute, in UTC, e.g. `2026-11-22 09:30Z`. */
function minute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")}Z`
}
