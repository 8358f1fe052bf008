import type { IncomingMessage } from "node:http"

/** The key under which a client sends a request, maybe more than once: the header `Idempotency-Key`. */
export function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers["idempotency-key"]
  return typeof key === "string" && key !== "" ? key : undefined
}
