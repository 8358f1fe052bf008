import { z } from "zod"
import { UsageError } from "./usage-error.ts"

const Made = z.object({ token: z.string() })
const Refused = z.object({ error: z.object({ message: z.string() }) })

/** Makes a token for `/v1` of a running service. @throws UsageError with the reason when it refuses */
export async function createToken(
  { url, token }: { url: string; token: string },
  wanted: { tenant: string; name: string },
): Promise<string> {
  const response = await fetch(`${url}/api/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(wanted),
  })
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return Made.parse(body).token
  const reason = Refused.safeParse(body).data?.error.message ?? `status ${response.status}`
  throw new UsageError(`${url} refused to make a token: ${reason}`)
}
