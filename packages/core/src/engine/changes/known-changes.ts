import type { Snapshots } from "../snapshot/create-snapshots.ts"
import type { CountedChange, SnapshotPair } from "../snapshot/read-changes.ts"

type Reads = Pick<Snapshots, "countedChanges" | "patch">

/** Pairs that are remembered. */
const maxPairs = 4_000
/** A pair with more files is read again: a few of those would fill the memory. */
const maxFiles = 200

/** Snapshots of which git is asked once for each pair: what differs between two never changes. */
export function withKnownChanges(snapshots: Reads): Reads {
  const known = new Map<string, CountedChange[]>()
  const keyOf = ({ from, to }: SnapshotPair) => `${from} ${to}`
  return {
    ...snapshots,
    async countedChanges(place, pairs) {
      const found = new Map(pairs.map((pair) => [keyOf(pair), known.get(`${place.worktree}\0${keyOf(pair)}`) ?? null]))
      const open = pairs.filter((pair) => found.get(keyOf(pair)) === null)
      const read = await snapshots.countedChanges(place, open)
      if (known.size > maxPairs) known.clear()
      for (const [index, pair] of open.entries()) {
        const changes = read[index] ?? null
        found.set(keyOf(pair), changes)
        if (changes !== null && changes.length <= maxFiles) known.set(`${place.worktree}\0${keyOf(pair)}`, changes)
      }
      return pairs.map((pair) => found.get(keyOf(pair)) ?? null)
    },
  }
}
