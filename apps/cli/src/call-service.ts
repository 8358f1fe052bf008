import { z } from "zod"
import { tokenRefused } from "./exit-code.ts"
import { UnreachableError } from "./unreachable-error.ts"
import { UsageError } from "./usage-error.ts"

const Refused = z.object({ error: z.object({ message: z.string() }) })

/**
 * Calls a plain HTTP route of a running service: GET, or POST when there is a `body`.
 * @throws UsageError with the reason when the service refuses, UnreachableError when it does not answer
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
    throw new UnreachableError(`the service at ${url} does not answer`, { cause })
  })
  if (!response.ok) throw await refusalOf(response)
  return answer.parse(await response.json())
}

/** Turns the error response of the service into a message for the user. */
export async function refusalOf(response: Response): Promise<UsageError> {
  if (response.status === 401) return new UsageError(tokenRefused)
  const read: unknown = await response.json().catch(() => null)
  return new UsageError(Refused.safeParse(read).data?.error.message ?? `status ${response.status}`)
}
