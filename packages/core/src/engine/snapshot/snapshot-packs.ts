import { randomUUID } from "node:crypto"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import type { SharedContents } from "../../ground/blob/shared-contents.ts"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import type { Content } from "../../ground/schema/index.ts"
import { SnapshotError, type SnapshotRepository } from "./snapshot-repository.ts"

/**
 * Snapshots that other hosts of the same directories need when they take over a tree: each as a pack of the objects that
 * neither the project's repository has nor an earlier pack of the tree.
 */
export interface SnapshotPacks {
  /** Stores a snapshot that a row of the tree names, in the background. Nothing when this host does not have it. */
  keep(repository: () => Promise<SnapshotRepository>, rootID: string, snapshot: string): void
  /** Takes in what other hosts have kept of the snapshots that are not here. */
  bring(repository: SnapshotRepository, snapshots: readonly string[]): Promise<void>
  /** Takes in all that other hosts have kept for a tree. */
  bringTree(repository: SnapshotRepository, rootID: string): Promise<void>
  settled(): Promise<void>
}

interface PacksDeps {
  contents: SharedContents
  clock: () => number
  onError(error: unknown): void
}

/** A pack builds on others for so long (ms); then one has all objects again, so that old packs can go. */
const chainMs = 24 * 60 * 60_000

const mostPresent = 10_000

interface Chain {
  began: number
  /** The snapshots whose objects are in its packs. */
  snapshots: Set<string>
}

export function createSnapshotPacks({ contents, clock, onError }: PacksDeps): SnapshotPacks {
  const chains = new Map<string, Chain>()
  const inOrder = createKeyedQueue()
  const working = new Set<Promise<void>>()
  /** The packs that are unpacked here, by repository. */
  const taken = new Map<string, Set<string>>()

  /** Snapshots that are known to be here, so that git need not be asked again. */
  const present = new Set<string>()
  const isHere = async (repository: SnapshotRepository, snapshot: string) => {
    const name = `${repository.directory}\0${snapshot}`
    if (present.has(name)) return true
    if (!(await has(repository, snapshot))) return false
    if (present.size === mostPresent) present.clear()
    present.add(name)
    return true
  }

  const chainOf = (rootID: string): Chain => {
    const known = chains.get(rootID)
    if (known !== undefined && clock() - known.began < chainMs) return known
    const chain = { began: clock(), snapshots: new Set<string>() }
    chains.set(rootID, chain)
    return chain
  }
  const pack = async (repository: SnapshotRepository, rootID: string, snapshot: string) => {
    const chain = chainOf(rootID)
    if (chain.snapshots.has(snapshot) || !(await isHere(repository, snapshot))) return
    const base = join(await contents.workDirectory(), randomUUID())
    const last = [...chain.snapshots].at(-1)
    const revisions = last === undefined ? `${snapshot}\n` : `${snapshot}\n^${last}\n`
    // `--local` leaves out what the project's own repository has.
    const args = ["pack-objects", "--revs", "--local", "--quiet", base]
    const name = (await repository.git(args, { input: revisions })).toString().trim()
    const file = `${base}-${name}.pack`
    await contents.keepNow({ id: rootID, rootID }, { kind: "snapshot", name: snapshot, file })
    for (const end of ["pack", "idx", "rev"]) await rm(`${base}-${name}.${end}`, { force: true })
    chain.snapshots.add(snapshot)
  }
  const take = async (repository: SnapshotRepository, row: Content) => {
    const known = taken.get(repository.directory) ?? new Set()
    taken.set(repository.directory, known)
    if (known.has(row.id)) return
    const input = await readFile(await contents.fileOf(row))
    await repository.git(["unpack-objects", "-q"], { input })
    known.add(row.id)
  }
  const bringTree = async (repository: SnapshotRepository, rootID: string) => {
    const rows = (await contents.rows.list({ rootID, kind: "snapshot" })).filter(({ isStored }) => isStored)
    // Each is whole for itself: one that is missing costs what only it has.
    for (const row of rows) await take(repository, row).catch(onError)
  }
  return {
    keep(repository, rootID, snapshot) {
      const done: Promise<void> = inOrder(rootID, async () => pack(await repository(), rootID, snapshot))
        .catch(onError)
        .finally(() => working.delete(done))
      working.add(done)
    },
    async bring(repository, snapshots) {
      for (const snapshot of new Set(snapshots)) {
        if (await isHere(repository, snapshot)) continue
        const row = await contents.rows.anywhere("snapshot", snapshot)
        if (row !== null) await bringTree(repository, row.rootID)
      }
    },
    bringTree,
    async settled() {
      await Promise.all(working)
    },
  }
}

async function has(repository: SnapshotRepository, snapshot: string): Promise<boolean> {
  try {
    await repository.git(["cat-file", "-e", `${snapshot}^{tree}`])
    return true
  } catch (error) {
    if (error instanceof SnapshotError) return false
    throw error
  }
}
