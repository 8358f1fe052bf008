import type { IncomingMessage, ServerResponse } from "node:http"
import type { Identity } from "../auth/identity.ts"
import { createAtOnce } from "./at-once.ts"

/** Size up to which a body does not count as large (bytes): pages and programs send it in one piece. */
const maxSmallBytes = 64 * 1024
/** Maximum number of large requests of one person at once: each may hold a body of 4 MiB. */
const mostAtOnce = 32

export interface LargeBodies {
  /**
   * Counts a request whose body is large or of unknown size until it is answered. False when too many are in progress.
   */
  take(identity: Identity, req: IncomingMessage, res: ServerResponse): boolean
}

export function createLargeBodies(): LargeBodies {
  const atOnce = createAtOnce()
  return {
    take({ caller }, { headers }, res) {
      const hasUnknownSize = headers["transfer-encoding"] !== undefined
      const isLarge = hasUnknownSize || Number(headers["content-length"] ?? 0) > maxSmallBytes
      if (!isLarge) return true
      return atOnce.begin([[caller.person, mostAtOnce]], res)
    },
  }
}

export const tooManyLarge = {
  status: 429,
  code: "TOO_MANY_REQUESTS",
  message: "too many large requests at once; send them one after another",
} as const
