import type { LookupFunction } from "node:net"
import { guardedExchange, readBody } from "./guarded-exchange.ts"
import { checkURL } from "./public-address.ts"

/** How long the whole exchange may take (ms), and how much of an answer is kept (bytes). */
export const postLimits = { ms: 10_000, answerBytes: 2_048 } as const

export interface PostInput {
  url: string
  headers: Record<string, string>
  body: string
  /** Decides on each IP address, public ones too. */
  isAllowed(address: string): boolean
}

export interface PostedAnswer {
  status: number
  /** The beginning of the answer. */
  body: string
}

/** Posts a body to an address that somebody named. @throws Error in words for people */
export type GuardedPost = (input: PostInput, signal: AbortSignal) => Promise<PostedAnswer>

export interface GuardedPostOptions {
  lookup?: LookupFunction | undefined
  limitMs?: number
  answerBytes?: number
  /** What to say of an address that is not allowed. */
  refusal?: (hostname: string) => Error
}

/** Posts for webhooks unless told otherwise. A redirect is an answer like others and is not followed. */
export function createGuardedPost({
  lookup,
  limitMs = postLimits.ms,
  answerBytes = postLimits.answerBytes,
  refusal = notAllowed,
}: GuardedPostOptions = {}): GuardedPost {
  return async ({ url, headers, body, isAllowed }, signal) => {
    const check = { isAllowed, refusal }
    const target = new URL(url)
    checkURL(target, check)
    const lateMessage = `it did not answer within ${limitMs / 1_000} seconds`
    return guardedExchange({ check, lookup, limitMs, lateMessage }, signal, async (ask) => {
      const { statusCode, body: answer } = await ask(target, { method: "POST", headers, body })
      return { status: statusCode, body: (await readBody(answer, answerBytes)).toString("utf8") }
    })
  }
}

/** The remedy is the setting of webhooks. */
function notAllowed(hostname: string): Error {
  const remedy =
    "`webhooks.allow` in the service's own docket.json names addresses that webhooks may reach all the same"
  return new Error(`${hostname} is not on the public internet; ${remedy}`)
}
