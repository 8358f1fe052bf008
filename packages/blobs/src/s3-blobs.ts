import { randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"
import { DocketError } from "@docket/core"
import {
  asidePath,
  type BlobKey,
  type Blobs,
  blobOfName,
  blobPath,
  checkedPieces,
  piecesOf,
  sizeOf,
  tenantPath,
} from "@docket/core/blobs"
import type { S3Settings } from "./blob-address.ts"
import { isPassing, type S3Api, type S3Body, type S3Page, S3Refusal } from "./s3-api.ts"

export interface S3Deps {
  api: S3Api
  /** Random numbers in [0, 1), for the jitter of retries. */
  random(): number
  /** Waits (ms) between tries. */
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>
  /** How long the service may be silent in one request (ms). */
  silentMs?: number
  /** Bytes of a request: what is longer goes in parts. S3 takes no part under 5 MiB but the last. */
  partBytes?: number
}

/** How often a request is sent in all, and the wait after the first one (ms), which doubles. */
const tries = 5
const firstWaitMs = 200

/** Contents as objects of an S3 service. */
export function createS3Blobs(deps: S3Deps, { bucket, prefix }: Pick<S3Settings, "bucket" | "prefix">): Blobs {
  const { api, partBytes = 8 * 1024 * 1024 } = deps
  const address = `s3://${bucket}/${prefix}`
  const keyOf = (key: BlobKey) => prefix + blobPath(key)
  const ask = <T>(request: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) =>
    retried(deps, address, request, signal)
  const head = async (key: BlobKey, signal?: AbortSignal) => {
    const name = keyOf(key)
    return ask((within) => api.head(name, within), signal)
  }

  /** Removes what is aside, unless it is needed. */
  const removeAside = async (key: BlobKey, aside: string, isNeeded: () => Promise<boolean>) => {
    const needed = await isNeeded().catch(() => true)
    if (needed && (await head(key)) === null) await ask((within) => api.copy(aside, keyOf(key), within))
    await ask((within) => api.delete(aside, within))
  }
  const list = async function* (start: string, signal?: AbortSignal) {
    let after: string | undefined
    do {
      const page: S3Page = await ask((within) => api.list(start, after, within), signal)
      yield* page.objects
      after = page.next ?? undefined
    } while (after !== undefined)
  }
  const asidesOf = async (key: BlobKey) => {
    const keys: string[] = []
    for await (const object of list(`${keyOf(key)}.`)) keys.push(object.key)
    return keys
  }
  return {
    address,
    head,
    async put(key, source, signal) {
      if ((await head(key, signal))?.size !== (await sizeOf(source))) {
        const pieces = inParts(piecesOf(key, source, signal), partBytes)
        await putPieces(api, { name: keyOf(key), pieces, ask: (request) => ask(request, signal), askAnyway: ask })
      }
    },
    async get(key, { range, signal } = {}) {
      const { start = 0, end } = range ?? {}
      if (end !== undefined && end <= start) return (await head(key, signal)) && Readable.from([])
      const open = async (name: string) => {
        const body = await ask((within) => api.get(name, { from: start, to: end }, within), signal)
        return body && resumed(deps, { address, name, body, from: start, to: end, signal })
      }
      // A removal may have it out of the way.
      const pieces = (await open(keyOf(key))) ?? (await firstOf(await asidesOf(key), open))
      return pieces === null || range !== undefined ? pieces : checkedPieces(key, pieces, address)
    },
    async remove(key, isNeeded) {
      for (const aside of await asidesOf(key)) await removeAside(key, aside, isNeeded)
      const aside = prefix + asidePath(key, randomUUID())
      if (!(await ask((within) => api.copy(keyOf(key), aside, within)))) return
      await ask((within) => api.delete(keyOf(key), within))
      await removeAside(key, aside, isNeeded)
    },
    async *list(tenant, signal) {
      for await (const { key, size, written } of list(prefix + tenantPath(tenant), signal)) {
        const blob = blobOfName(key.slice(key.lastIndexOf("/") + 1))
        if (blob !== null) yield { ...blob, size, written }
      }
    },
    async removeTenant(tenant) {
      for await (const { key } of list(prefix + tenantPath(tenant))) await ask((within) => api.delete(key, within))
    },
  }
}

interface Put {
  name: string
  pieces: AsyncGenerator<Uint8Array, undefined>
  /** Sends a request until it is answered. */
  ask<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** The same, also when whoever puts has left. */
  askAnyway<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T>
}

/** Puts an object in one request, or in parts when it has more than one. */
async function putPieces(api: S3Api, { name, pieces, ask, askAnyway }: Put): Promise<void> {
  const first = (await pieces.next()).value ?? Buffer.alloc(0)
  const second = await pieces.next()
  if (second.done) return ask((signal) => api.put(name, first, signal))
  const upload = await ask((signal) => api.beginParts(name, signal))
  try {
    const tags: string[] = []
    const send = async (bytes: Uint8Array) => {
      const part = { upload, bytes, number: tags.length + 1 }
      tags.push(await ask((signal) => api.putPart(name, part, signal)))
    }
    await send(first)
    await send(second.value)
    for await (const bytes of pieces) await send(bytes)
    await ask((signal) => api.endParts(name, upload, tags, signal))
  } catch (error) {
    await askAnyway((signal) => api.dropParts(name, upload, signal)).catch(() => {})
    throw error
  }
}

async function firstOf<T>(keys: readonly string[], open: (key: string) => Promise<T | null>): Promise<T | null> {
  for (const key of keys) {
    const found = await open(key)
    if (found !== null) return found
  }
  return null
}

/** Pieces joined to parts of this size; the last one may be shorter. */
async function* inParts(pieces: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, undefined> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < size) continue
    const all = Buffer.concat(waiting)
    let at = 0
    for (; all.length - at >= size; at += size) yield all.subarray(at, at + size)
    waiting = [all.subarray(at)]
    bytes = all.length - at
  }
  if (bytes > 0) yield Buffer.concat(waiting)
  return undefined
}

interface Opened {
  address: string
  name: string
  body: S3Body
  from: number
  to: number | undefined
  signal: AbortSignal | undefined
}

/** The pieces of an object. When the connection breaks, it goes on after the last one. */
async function* resumed(deps: S3Deps, opened: Opened): AsyncGenerator<Uint8Array> {
  const { address, name, to, signal } = opened
  const end = Math.min(to ?? Number.POSITIVE_INFINITY, opened.body.size)
  let at = opened.from
  let body = opened.body
  let broken = 0
  while (at < end) {
    try {
      for await (const piece of withLimit(body.pieces, deps.silentMs ?? usualSilentMs)) {
        at += piece.length
        broken = 0
        yield piece
      }
      if (at >= end) return
      throw new S3Refusal(0, "ended too early")
    } catch (error) {
      signal?.throwIfAborted()
      broken += 1
      if (broken === tries) throw unavailable(address, error)
      await waitFor(deps, broken, signal)
    }
    const next = await retried(deps, address, (within) => deps.api.get(name, { from: at, to }, within), signal)
    if (next === null) throw unavailable(address, new S3Refusal(404, "it was removed while it was read"))
    body = next
  }
}

/** ms; what large requests of slow services take. */
const usualSilentMs = 60_000

/** The pieces, as long as none takes longer than the limit (ms). */
async function* withLimit(pieces: AsyncIterable<Uint8Array>, ms: number): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    while (true) {
      const timer = Promise.withResolvers<never>()
      const timeout = setTimeout(() => timer.reject(new S3Refusal(0, "silent for too long")), ms)
      const next = await Promise.race([iterator.next(), timer.promise]).finally(() => clearTimeout(timeout))
      if (next.done) return
      yield next.value
    }
  } finally {
    // Without waiting: what is silent does not answer to this either.
    void iterator.return?.().catch(() => {})
  }
}

/** Sends a request until it is answered, or refused for good. @throws blobs_unavailable */
async function retried<T>(
  deps: S3Deps,
  address: string,
  request: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let number = 1; ; number++) {
    signal?.throwIfAborted()
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(new S3Refusal(0, "no answer in time")), deps.silentMs ?? usualSilentMs)
    try {
      // The body of an answer comes later, without this limit.
      return await request(signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]))
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error) || number === tries) throw unavailable(address, error)
    } finally {
      clearTimeout(timer)
    }
    await waitFor(deps, number, signal)
  }
}

async function waitFor(deps: S3Deps, number: number, signal: AbortSignal | undefined): Promise<void> {
  const ms = firstWaitMs * 2 ** (number - 1) * (0.5 + deps.random())
  await (deps.wait ?? ((time) => delay(time, undefined, { signal })))(ms, signal)
}

const whatToDo: Record<string, string> = {
  NoSuchBucket: "Make the bucket, or correct DOCKET_BLOBS.",
  InvalidAccessKeyId: "Check AWS_ACCESS_KEY_ID.",
  SignatureDoesNotMatch: "Check AWS_SECRET_ACCESS_KEY and AWS_REGION.",
  AccessDenied: "The keys need the right to read, write, list and delete objects there.",
  PermanentRedirect: "Check AWS_REGION and AWS_ENDPOINT_URL_S3.",
  AuthorizationHeaderMalformed: "Check AWS_REGION.",
}

function unavailable(address: string, cause: unknown): unknown {
  if (!(cause instanceof S3Refusal)) return cause
  const advice = whatToDo[cause.word] ?? "Check that the service runs and AWS_ENDPOINT_URL_S3."
  return new DocketError(
    "blobs_unavailable",
    `The store of contents ${address} does not work: ${cause.message}. ${advice}`,
    {
      cause,
    },
  )
}
