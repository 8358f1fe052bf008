import { lookup as lookupCallback } from "node:dns"
import type { LookupFunction } from "node:net"
import type { Dispatcher } from "undici"
import { type AddressCheck, checkedLookup } from "./public-address.ts"

export interface Exchange {
  check: AddressCheck
  /** How names are resolved; the system's way unless given. */
  lookup?: LookupFunction | undefined
  /** How long the whole exchange may take (ms), and the error message when it takes longer. */
  limitMs: number
  lateMessage: string
}

/** Makes a request; a GET unless it says otherwise. */
export type Ask = (
  url: URL,
  options?: Partial<Pick<Dispatcher.RequestOptions, "method" | "headers" | "body">>,
) => Promise<Dispatcher.ResponseData>

/**
 * Lets `speak` make requests to an address that others named. Every IP address that a name stands for is checked when a
 * connection is made, so that no second look-up can give another. No connection outlives the exchange.
 * @throws what `speak` throws, and an Error with `lateMessage` when it takes too long
 */
export async function guardedExchange<Answer>(
  { check, lookup = lookupCallback as LookupFunction, limitMs, lateMessage }: Exchange,
  signal: AbortSignal,
  speak: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  // Loaded by the first exchange: it is a hundred modules, and most services start and end without one.
  const { Agent, request } = await import("undici")
  const dispatcher = new Agent({ connect: { lookup: checkedLookup(lookup, check) }, pipelining: 0 })
  const timeout = AbortSignal.timeout(limitMs)
  const ended = AbortSignal.any([signal, timeout])
  try {
    return await speak((url, options) => request(url, { ...options, dispatcher, signal: ended }))
  } catch (cause) {
    if (timeout.aborted) throw new Error(lateMessage, { cause })
    throw cause
  } finally {
    await dispatcher.destroy()
  }
}

/** Reads an answer. When it has more bytes than `most`, gives its beginning, or throws what `tooLong` makes. */
export async function readBody(body: AsyncIterable<Buffer>, most: number, tooLong?: () => Error): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most && tooLong) throw tooLong()
    if (size >= most && !tooLong) break
  }
  return Buffer.concat(chunks).subarray(0, most)
}
