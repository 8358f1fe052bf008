import type { IncomingMessage } from "node:http"

/** The key of a request that its client may send again: the header `Idempotency-Key`. */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers["idempotency-key"]
  return typeof key === "string" && key !== "" ? key : undefined
}
