import { z } from "zod"
import { UsageError } from "./usage-error.ts"

const Refused = z.object({ error: z.object({ message: z.string() }) })

/**
 * Calls a plain route of a running service: GET, or POST when there is a `body`.
 * @throws UsageError with the reason when the service refuses or does not answer
 */
export async function callService<T extends z.ZodType>(
  { url, token }: { url: string; token: string },
  { path, body }: { path: string; body?: object },
  answer: T,
): Promise<z.output<T>> {
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new UsageError(`the service at ${url} does not answer`, { cause })
  })
  const read: unknown = await response.json().catch(() => null)
  if (response.ok) return answer.parse(read)
  if (response.status === 401) throw new UsageError("the service refused the token; check --token-file and --data")
  const reason = Refused.safeParse(read).data?.error.message ?? `status ${response.status}`
  throw new UsageError(reason)
}
