import type { LookupFunction } from "node:net"
import { type Ask, guardedExchange, readBody } from "./guarded-exchange.ts"
import { type AddressCheck, checkURL, isPublicAddress } from "./public-address.ts"

/** A larger file is no attachment (bytes), and a slower one would hold the prompt up for too long (ms). */
const usualBytes = 5 * 1024 * 1024
const maxMs = 20_000
const maxRedirects = 5

export interface FetchedFile {
  bytes: Buffer
  /** As the server says; empty when it does not. */
  mediaType: string
}

export interface GuardedFetchOptions {
  /** Decides on each IP address, public ones too. Unless given, only those of the public internet are allowed. */
  isAllowed?: (address: string) => boolean
  /** How names are resolved; the system's way unless given. */
  lookup?: LookupFunction
  /** The largest file; 5 MB unless given. */
  maxBytes?: number
}

/** Fetches a file that somebody named. @throws Error in words for people and models */
export type GuardedFetch = (url: string, signal: AbortSignal) => Promise<FetchedFile>

/** Fetches over HTTP(S) without reaching this machine or its networks; each redirect is checked, too. */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { isAllowed = isPublicAddress, lookup, maxBytes = usualBytes } = options
  return async (url, signal) => {
    const check = { isAllowed, refusal: notPublic }
    const lateMessage = `it did not come within ${maxMs / 1_000} seconds.`
    const exchange = { check, lookup, limitMs: maxMs, lateMessage }
    return guardedExchange(exchange, signal, (ask) => follow(new URL(url), { check, ask, maxBytes }))
  }
}

interface Following {
  check: AddressCheck
  ask: Ask
  maxBytes: number
}

async function follow(start: URL, { check, ask, maxBytes }: Following): Promise<FetchedFile> {
  let url = start
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    checkURL(url, check)
    const { statusCode, headers, body } = await ask(url)
    const { location } = headers
    const isRedirect = statusCode >= 300 && statusCode < 400
    if (isRedirect && typeof location === "string") {
      await body.dump()
      url = new URL(location, url)
      continue
    }
    if (statusCode !== 200) {
      await body.dump()
      throw new Error(`the server answered ${statusCode}.`)
    }
    return {
      bytes: await readBody(body, maxBytes, () => tooLarge(maxBytes)),
      mediaType: String(headers["content-type"] ?? ""),
    }
  }
  throw new Error(`it was redirected more than ${maxRedirects} times.`)
}

function notPublic(hostname: string): Error {
  return new Error(
    `${hostname} is not on the public internet; Docket fetches nothing from this machine or its networks.`,
  )
}

function tooLarge(maxBytes: number): Error {
  return new Error(`it is larger than ${maxBytes / 1024 / 1024} MB.`)
}
