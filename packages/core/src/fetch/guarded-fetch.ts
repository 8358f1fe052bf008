import { lookup as lookupCallback } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import { Agent, type Dispatcher, request } from "undici"
import { isPublicAddress } from "./public-address.ts"

/** More than this is not an attachment (bytes), or holds the prompt up for too long (ms). */
const maxBytes = 5 * 1024 * 1024
const maxMs = 20_000
const maxRedirects = 5

export interface FetchedFile {
  bytes: Buffer
  /** As the server says; empty when it does not. */
  mediaType: string
}

export interface GuardedFetchOptions {
  /** Addresses that may be spoken to; those of the public internet unless given. */
  isAllowed?: (address: string) => boolean
  /** How names are resolved; the system's way unless given. */
  lookup?: LookupFunction
}

/** Fetches a file that somebody named. @throws Error in words for people and models */
export type GuardedFetch = (url: string, signal: AbortSignal) => Promise<FetchedFile>

/**
 * Fetches over HTTP(S) without reaching this machine or its networks: every address that a name stands for is checked
 * when the connection is made, at each redirect again, so that no second look-up can give another.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { isAllowed = isPublicAddress, lookup = lookupCallback as LookupFunction } = options
  return async (url, signal) => {
    const agent = new Agent({ connect: { lookup: checkedLookup(lookup, isAllowed) } })
    const timeout = AbortSignal.timeout(maxMs)
    try {
      return await follow(new URL(url), { agent, isAllowed, signal: AbortSignal.any([signal, timeout]) })
    } catch (error) {
      if (timeout.aborted) throw new Error(`it did not come within ${maxMs / 1_000} seconds.`, { cause: error })
      throw error
    } finally {
      await agent.destroy()
    }
  }
}

interface Following {
  agent: Dispatcher
  isAllowed(address: string): boolean
  signal: AbortSignal
}

async function follow(start: URL, { agent, isAllowed, signal }: Following): Promise<FetchedFile> {
  let url = start
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    checkURL(url, isAllowed)
    const { statusCode, headers, body } = await request(url, { dispatcher: agent, signal })
    const { location } = headers
    if (statusCode >= 300 && statusCode < 400 && typeof location === "string") {
      await body.dump()
      url = new URL(location, url)
      continue
    }
    if (statusCode !== 200) {
      await body.dump()
      throw new Error(`the server answered ${statusCode}.`)
    }
    return { bytes: await readBody(body), mediaType: String(headers["content-type"] ?? "") }
  }
  throw new Error(`it was redirected more than ${maxRedirects} times.`)
}

/** An address in the URL itself is connected to without a look-up. URL has made decimal and octal forms plain. */
function checkURL({ protocol, hostname }: URL, isAllowed: (address: string) => boolean): void {
  if (protocol !== "http:" && protocol !== "https:") throw new Error(`only http and https are fetched, not ${protocol}`)
  const address = hostname.replace(/^\[|\]$/g, "")
  if (isIP(address) !== 0 && !isAllowed(address)) throw notPublic(hostname)
}

function checkedLookup(lookup: LookupFunction, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
        return callback(notPublic(hostname), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

function notPublic(hostname: string): Error {
  return new Error(
    `${hostname} is not on the public internet; Docket fetches nothing from this machine or its networks.`,
  )
}

async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024 / 1024} MB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
