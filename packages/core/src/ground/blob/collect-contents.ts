import type { ContentStore } from "../store/index.ts"
import type { Blobs, ListedBlob } from "./blobs.ts"

export interface CollectDeps {
  blobs: Blobs
  tenant: string
  store: Pick<ContentStore, "named" | "removeBefore">
  /** Epoch ms. */
  clock: () => number
}

const dayMs = 24 * 60 * 60_000
/** What is younger is left alone (ms): its row may still be written. */
const youngMs = dayMs
/** How many hashes are asked for at a time. */
const atOnce = 500

/**
 * How long rows of what hosts keep for a time are kept (ms): outputs of tools as long as the hosts keep them; snapshots a day
 * longer, because one needs the objects of those up to a day before it.
 */
const keptMs = { output: 7 * dayMs, snapshot: 8 * dayMs } as const

/**
 * Removes what no row names any more, once it is a day old. Safe to do twice at a time. @returns how many contents it removed
 */
export async function collectContents(deps: CollectDeps, signal?: AbortSignal): Promise<number> {
  await removeOldRows(deps)
  let removed = 0
  let some: ListedBlob[] = []
  for await (const blob of deps.blobs.list(deps.tenant, signal)) {
    if (blob.written > deps.clock() - youngMs) continue
    some.push(blob)
    if (some.length < atOnce) continue
    removed += await collectSome(deps, some, signal)
    some = []
  }
  return removed + (await collectSome(deps, some, signal))
}

async function collectSome(
  { blobs, tenant, store }: CollectDeps,
  some: readonly ListedBlob[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const named = await store.named(some.map(({ hash }) => hash))
  let removed = 0
  for (const { hash, isAside } of some) {
    signal?.throwIfAborted()
    if (named.has(hash) && !isAside) continue
    // Asked again once it is out of the way: a row may have come since.
    await blobs.remove({ tenant, hash }, async () => (await store.named([hash])).has(hash))
    if (!named.has(hash)) removed += 1
  }
  return removed
}

async function removeOldRows({ store, clock }: CollectDeps): Promise<void> {
  for (const kind of ["output", "snapshot"] as const) await store.removeBefore(kind, clock() - keptMs[kind])
}
