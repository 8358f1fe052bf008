import { z } from "zod"
import { UsageError } from "./usage-error.ts"

const Answer = z.object({ loginUrl: z.string() })

/** A new one-time login link of a running service. @throws UsageError when it refuses */
export async function requestLoginUrl(url: string, token: string): Promise<string> {
  const response = await fetch(`${url}/api/login-code`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  })
  if (!response.ok) throw new UsageError(`${url} refused to make a login link (${response.status})`)
  return Answer.parse(await response.json()).loginUrl
}
