import { lookup as lookupCallback } from "node:dns"
import type { LookupFunction } from "node:net"
import type { Pace } from "../concurrency/create-pace.ts"
import { limitAnswer } from "./limit-answer.ts"
import { type AddressCheck, checkedLookup, checkURL, isPublicAddress } from "./public-address.ts"

export interface CheckedFetch {
  /** Like the global `fetch`, for answers that may go on for hours. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /** Ends all connections. */
  close(): Promise<void>
}

export interface CheckedFetchOptions {
  /** Whether the host of an address may lead to this machine or its networks. */
  mayReachLocally(url: URL): boolean
  /** How names are resolved; the system's way unless given. */
  lookup?: LookupFunction
  /** Bytes of an answer, or of one event of a stream of events. */
  mostBytes?: number
  /** How fast the events of streams may come; as their servers like unless given. */
  pace?: Pace
  /** ms of a whole request; as long as its server likes unless given. */
  longestMs?: number
}

const usualMost = 16 * 1_048_576

/**
 * A `fetch` for a conversation with a server that others named. Each address that a name stands for is checked when the
 * connection is made. Redirects are not followed by it: who calls decides about each.
 */
export function createCheckedFetch({
  mayReachLocally,
  lookup = lookupCallback as LookupFunction,
  mostBytes = usualMost,
  pace,
  longestMs,
}: CheckedFetchOptions): CheckedFetch {
  const refusal = (hostname: string) =>
    new Error(`${hostname} is not on the public internet, and nothing in the configuration names it.`)
  const open = { isAllowed: () => true, refusal }
  const shut = { isAllowed: isPublicAddress, refusal }
  const made = import("undici").then((undici) => {
    // A stream may be silent for as long as its server likes.
    const agentOf = (check: AddressCheck) =>
      new undici.Agent({ connect: { lookup: checkedLookup(lookup, check) }, bodyTimeout: 0 })
    return { undici, open: agentOf(open), shut: agentOf(shut) }
  })
  return {
    async fetch(url, init = {}) {
      const target = new URL(url)
      const isLocal = mayReachLocally(target)
      checkURL(target, isLocal ? open : shut)
      const { undici, ...agents } = await made
      // undici's own types of a request are those of the platform under other names.
      const signals = [init.signal ?? [], longestMs === undefined ? [] : AbortSignal.timeout(longestMs)].flat()
      const options = {
        ...init,
        redirect: init.redirect ?? "manual",
        dispatcher: isLocal ? agents.open : agents.shut,
        ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
      }
      return ofPlatform(await undici.fetch(target, options as Parameters<typeof undici.fetch>[1]), {
        most: mostBytes,
        pace,
      })
    },
    async close() {
      const agents = await made
      await Promise.all([agents.open.destroy(), agents.shut.destroy()])
    },
  }
}

/** An answer of the platform's own class, which libraries ask for with `instanceof`. */
function ofPlatform(
  answer: Awaited<ReturnType<typeof import("undici").fetch>>,
  limits: { most: number; pace: Pace | undefined },
): Response {
  const { status, statusText, url } = answer
  const hasBody = ![204, 205, 304].includes(status)
  const headers = [...answer.headers] as [string, string][]
  const isEvents = /^text\/event-stream\b/i.test(answer.headers.get("content-type") ?? "")
  const body = hasBody ? (answer.body as ReadableStream<Uint8Array> | null) : null
  const limited = body && limitAnswer(body, { host: new URL(url).host, isEvents, ...limits })
  const response = new Response(limited, { status, statusText, headers })
  return Object.defineProperty(response, "url", { value: url })
}
