import type { HomeOwner, KnownValue, OwnPattern } from "../../ground/redact/index.ts"
import type { Share } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { createShareScan, newestOfBoth, type ShareScan, type ShareScanSources, shownBy } from "./share-scan.ts"
import { treeSources } from "./tree-sources.ts"

export interface ScanCacheDeps {
  store: Pick<Store, "session" | "transcript" | "todo" | "task" | "feed" | "shareCopy">
  clock: () => number
  owner: HomeOwner
  /** The secrets that this server knows for a session, and the patterns from its configuration. */
  secretsOf(rootID: string): Promise<{ known: readonly KnownValue[]; patterns: readonly OwnPattern[] }>
}

/** Known secrets are read again after this time (ms). */
export const staleMs = 5_000
/** Most shares whose scans are cached. */
const capacity = 100

/** Caches one scan for each share in use, with the secrets learned from its tree. */
export interface ScanCache {
  /** The known secrets; for an existing share, also those that were removed from its copy before. */
  sourcesOf(of: Pick<Share, "id" | "rootID">): Promise<ShareScanSources>
  scanOf(share: Share): Promise<ShareScan>
}

export function createScanCache(deps: ScanCacheDeps): ScanCache {
  /** By share. `basis` is all that the scan depends on, as text; `at` is when its secrets were read. */
  const scans = new Map<string, { basis: string; at: number; scan: ShareScan }>()
  const sourcesOf = async ({ id, rootID }: Pick<Share, "id" | "rootID">) => {
    const [{ known, patterns }, copy] = await Promise.all([deps.secretsOf(rootID), deps.store.shareCopy.get(id)])
    return { owner: deps.owner, patterns, known: withMet(known, copy?.met ?? []) }
  }
  return {
    sourcesOf,
    async scanOf(share) {
      const cached = scans.get(share.id)
      const isCurrent = cached && deps.clock() - cached.at < staleMs && cached.basis.startsWith(shownBy(share))
      if (isCurrent) return cached.scan
      const sources = await sourcesOf(share)
      const basis = shownBy(share) + JSON.stringify(sources)
      const scan = cached?.basis === basis ? cached.scan : await warmed(deps, share, createShareScan(share, sources))
      // Deleted first to move the scan to the end of the map, because the loop below drops scans from its start.
      scans.delete(share.id)
      scans.set(share.id, { basis, at: deps.clock(), scan })
      for (const id of scans.keys()) if (scans.size > capacity) scans.delete(id)
      return scan
    },
  }
}

/** Adds secrets that occurred earlier. One that is still known keeps its current label. */
function withMet(known: readonly KnownValue[], met: readonly KnownValue[]): KnownValue[] {
  const today = new Set(known.map(({ value }) => value))
  return [...known, ...met.filter(({ value }) => !today.has(value))]
}

/** Texts and calls at the end of a session that may contain the first half of a secret. */
const atEnd = 6

/** Prepares a new scan of an existing copy with what earlier rows taught: `.env` files, and how sessions end. */
async function warmed({ store }: ScanCacheDeps, share: Share, scan: ShareScan): Promise<ShareScan> {
  const copy = await store.shareCopy.get(share.id)
  if (copy === null || copy.cursor === 0) return scan
  const { list } = await treeSources(store, share)
  const parts = list.filter((source) => source.kind === "part")
  for (const { value } of parts) scan.learn(value)
  const marked = parts.map((source) => ({ source, isCall: source.value.type === "tool" }))
  for (const own of Map.groupBy(marked, ({ source }) => source.value.sessionID).values())
    for (const { source } of newestOfBoth(own, atEnd)) scan.scan(source)
  return scan
}
