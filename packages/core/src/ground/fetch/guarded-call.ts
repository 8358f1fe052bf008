import type { LookupFunction } from "node:net"
import { guardedExchange, readBody } from "./guarded-exchange.ts"
import { checkURL, isPublicAddress } from "./public-address.ts"

/** How long the whole exchange may take (ms), and how long an answer may be (bytes). */
const limits = { ms: 10_000, answerBytes: 1_048_576 } as const

export interface GuardedCallOptions {
  /** Decides on each IP address, public ones too. Unless given, only those of the public internet are allowed. */
  isAllowed?: (address: string) => boolean
  /** Whether what is sent and answered may cross the network in the clear. */
  allowsHTTP?: boolean
  /** How names are resolved; the system's way unless given. */
  lookup?: LookupFunction
}

export interface GuardedCallInput {
  url: string
  headers?: Record<string, string>
  /** Sent by POST; without it, the request is a GET. */
  form?: URLSearchParams
}

/** Asks a service that others named, and answers with its text. @throws Error in words for people */
export type GuardedCall = (input: GuardedCallInput, signal: AbortSignal) => Promise<string>

/** Redirects are not followed: what is sent is meant only for the host that was named. */
export function createGuardedCall(options: GuardedCallOptions = {}): GuardedCall {
  const { isAllowed = isPublicAddress, allowsHTTP = false, lookup } = options
  const check = { isAllowed, refusal: notPublic }
  return async ({ url, headers, form }, signal) => {
    const target = new URL(url)
    checkURL(target, check)
    if (!allowsHTTP && target.protocol !== "https:")
      throw new Error(`${target.host} is not asked, because its address is one without TLS.`)
    const lateMessage = `${target.host} did not answer within ${limits.ms / 1_000} seconds.`
    const type = form && { "content-type": "application/x-www-form-urlencoded" }
    return guardedExchange({ check, lookup, limitMs: limits.ms, lateMessage }, signal, async (ask) => {
      const { statusCode, body } = await ask(target, {
        method: form ? "POST" : "GET",
        headers: { accept: "application/json", ...type, ...headers },
        ...(form && { body: form.toString() }),
      })
      if (statusCode !== 200) throw new Error(`${target.host} answered ${statusCode}.`)
      const tooLong = () => new Error(`${target.host} sent more than ${limits.answerBytes} bytes.`)
      return (await readBody(body, limits.answerBytes, tooLong)).toString("utf8")
    })
  }
}

function notPublic(hostname: string): Error {
  return new Error(`${hostname} is not on the public internet.`)
}
