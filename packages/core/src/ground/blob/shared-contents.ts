import { randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { copyFile, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createFewAtOnce } from "../concurrency/few-at-once.ts"
import { createKeyedQueue } from "../concurrency/keyed-queue.ts"
import { pause } from "../concurrency/pause.ts"
import type { Timers } from "../concurrency/timers.ts"
import { DocketError, isDocketError } from "../error/docket-error.ts"
import { errorCode } from "../error/error-code.ts"
import { Content, type ContentKind } from "../schema/index.ts"
import type { ContentStore } from "../store/index.ts"
import { type BlobKey, type Blobs, blobPath, DamagedBlob } from "./blobs.ts"
import { createFileBlobs } from "./file-blobs.ts"
import { rowOfFile, storeByRow } from "./store-content.ts"

/** Contents that the nodes of a database share: rows say which session has what, and a store has it. */
export interface SharedContents {
  /**
   * Stores a content of this host in the background, so that no step waits for the store. Its row first says that only this
   * host has it, then that the store has it. What a crash interrupts, the next start goes on with.
   */
  keep(owner: ContentOwner, content: KeptFile): void
  /** The same, for a file that is removed afterwards. Resolves when it is copied. */
  keepNow(owner: ContentOwner, content: KeptFile): Promise<void>
  /** The row of a content in a tree; null when there is none, and when the store does not have it yet. */
  find(rootID: string, kind: ContentKind, name: string): Promise<Content | null>
  /**
   * The path of a copy of the content on this host. It stays there for a day after it was last asked for.
   * @throws content_missing, blobs_unavailable
   */
  fileOf(row: Content, signal?: AbortSignal): Promise<string>
  rows: Pick<ContentStore, "anywhere" | "list" | "put">
  /** Where files are made that are kept later; exists. */
  workDirectory(): Promise<string>
  /** Goes on with what an earlier process left. */
  start(): void
  /** Resolves when nothing is stored any more, after 5 s at most. What waits then is stored after the next start. */
  stop(): Promise<void>
  /** Resolves when nothing waits to be stored, apart from what the store does not take now. */
  settled(): Promise<void>
}

interface ContentOwner {
  id: string
  rootID: string
}

export interface KeptFile {
  kind: ContentKind
  name: string
  /** Absolute. It is copied first, unless it never changes. */
  file: string
  isFixed?: boolean
}

export interface SharedContentsDeps {
  blobs: Blobs
  tenant: string
  store: ContentStore
  /** Of this host, for copies and for what waits. */
  directory: string
  clock: () => number
  timers: Timers
  onError(error: unknown): void
}

/** How many contents are stored at a time. */
const atOnce = 4
/** ms before what the store did not take is tried again. */
const againMs = 10_000
/** How long an end of the process waits for what is being stored (ms). */
const stopMs = 5_000
/** How long a copy stays that nobody asks for (ms). */
const copyMs = 24 * 60 * 60_000

/** What waits on the disk: the row, and the file where it is not a copy beside it. */
interface Waiting {
  row: Content
  file: string | null
}

export function createSharedContents(deps: SharedContentsDeps): SharedContents {
  const { blobs, tenant, store, clock, timers, onError } = deps
  const waiting = join(deps.directory, "waiting")
  const copies = createFileBlobs(join(deps.directory, "copies"), clock)
  const few = createFewAtOnce({ atOnce, waiting: Number.POSITIVE_INFINITY })
  // The next content of a name comes after the one before; one download serves all who ask.
  const inOrder = createKeyedQueue()
  const working = new Set<Promise<void>>()
  const leaves = new AbortController()
  const cancels = new Set<() => void>()

  const pathsOf = (name: string) => ({ mark: join(waiting, `${name}.json`), copy: join(waiting, `${name}.copy`) })
  const note = async (owner: ContentOwner, { kind, name, file, isFixed }: KeptFile): Promise<[string, Waiting]> => {
    const unique = randomUUID()
    const { mark, copy } = pathsOf(unique)
    await mkdir(waiting, { recursive: true, mode: 0o700 })
    // Whoever made it may change it.
    if (isFixed !== true) await copyFile(file, copy, constants.COPYFILE_FICLONE)
    const source = isFixed === true ? file : copy
    const row = await rowOfFile(deps, { kind, name, sessionID: owner.id, rootID: owner.rootID, file: source })
    const entry: Waiting = { row, file: isFixed === true ? file : null }
    await writeFile(`${mark}.new`, JSON.stringify(entry), { mode: 0o600 })
    await rename(`${mark}.new`, mark)
    return [unique, entry]
  }
  const forget = async (unique: string) => {
    const { mark, copy } = pathsOf(unique)
    await rm(mark, { force: true })
    await rm(copy, { force: true })
  }
  const send = (unique: string, { row, file }: Waiting) =>
    storeByRow(deps, { row, file: file ?? pathsOf(unique).copy, signal: leaves.signal })
  const sendOnce = async (unique: string, entry: Waiting): Promise<void> => {
    try {
      await send(unique, entry)
    } catch (error) {
      if (leaves.signal.aborted) return
      const isGone = isDocketError(error) && error.code === "session_not_found"
      if (!isGone) onError(error)
      // What cannot be read any more is never stored; anything else is a matter of time.
      if (!isGone && !(error instanceof DamagedBlob) && errorCode(error) !== "ENOENT") return again(unique, entry)
    }
    await forget(unique)
  }
  const again = (unique: string, entry: Waiting) => {
    const cancel = timers.after(againMs, () => {
      cancels.delete(cancel)
      work(() => sendInOrder(unique, entry))
    })
    cancels.add(cancel)
  }
  const sendInOrder = (unique: string, entry: Waiting) =>
    inOrder(entry.row.id, async () => {
      if (!leaves.signal.aborted) await few(() => sendOnce(unique, entry))
    })
  const work = (act: () => Promise<void>) => {
    const done: Promise<void> = act()
      .catch(onError)
      .finally(() => working.delete(done))
    working.add(done)
  }
  const keepNow = async (owner: ContentOwner, content: KeptFile) => {
    const [unique, entry] = await inOrder(`${owner.id}\n${content.kind}\n${content.name}`, () => note(owner, content))
    work(() => sendInOrder(unique, entry))
  }
  const goOn = async () => {
    for (const name of await readdir(waiting).catch(() => [])) {
      const unique = name.slice(0, -".json".length)
      if (!name.endsWith(".json")) continue
      const entry = await readWaiting(join(waiting, name))
      if (entry === null) await forget(unique)
      else work(() => sendInOrder(unique, entry))
    }
  }
  const settled = async () => {
    while (working.size > 0) await Promise.all(working)
  }
  const sweepCopies = async () => {
    for await (const { hash, written } of copies.list(tenant)) {
      if (written < Date.now() - copyMs) await copies.remove({ tenant, hash }, async () => false)
    }
  }
  return {
    rows: store,
    keep: (owner, content) => work(() => keepNow(owner, content)),
    keepNow,
    async find(rootID, kind, name) {
      const row = await store.find(rootID, kind, name)
      return row?.isStored === true ? row : null
    },
    fileOf: (row, signal) =>
      inOrder(`copy ${row.hash}`, async () => {
        const key: BlobKey = { tenant, hash: row.hash }
        const path = join(copies.address, blobPath(key))
        if ((await copies.head(key))?.size === row.size) {
          await utimes(path, new Date(), new Date())
          return path
        }
        await copyFrom(blobs, copies, { key, row, signal })
        return path
      }),
    async workDirectory() {
      const directory = join(deps.directory, "work")
      await mkdir(directory, { recursive: true, mode: 0o700 })
      return directory
    },
    start() {
      work(goOn)
      work(sweepCopies)
      cancels.add(timers.every(copyMs, () => work(sweepCopies)))
    },
    async stop() {
      const late = new AbortController()
      // Others may go on with a tree at once, and want what its last step left.
      await Promise.race([settled(), pause(stopMs, late.signal)])
      late.abort()
      leaves.abort(new Error("the process ends"))
      for (const cancel of cancels) cancel()
      await Promise.all(working)
    },
    settled,
  }
}

/** @throws content_missing, blobs_unavailable */
async function copyFrom(
  blobs: Blobs,
  copies: Blobs,
  { key, row, signal }: { key: BlobKey; row: Content; signal: AbortSignal | undefined },
): Promise<void> {
  const pieces = await blobs.get(key, { signal })
  if (pieces === null) throw missing(blobs, row, "is not there")
  try {
    await copies.put(key, { pieces }, signal)
  } catch (error) {
    if (error instanceof DamagedBlob) throw missing(blobs, row, "is damaged there")
    throw error
  }
}

function missing({ address }: Blobs, { kind, name, hash }: Content, what: string): DocketError {
  const words = `The ${kind} ${name} (SHA-256 ${hash}) should be in the store of contents ${address}, but ${what}. Restore it from a backup of the store.`
  return new DocketError("content_missing", words)
}

async function readWaiting(file: string): Promise<Waiting | null> {
  try {
    const { row, file: path }: { row?: unknown; file?: unknown } = Object(JSON.parse(await readFile(file, "utf8")))
    return { row: Content.parse(row), file: typeof path === "string" ? path : null }
  } catch {
    return null
  }
}
