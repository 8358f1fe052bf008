import { readdir, rm, stat, utimes } from "node:fs/promises"
import { join } from "node:path"
import type { SnapshotRepository } from "./snapshot-repository.ts"

/** Snapshots are kept this long: redo and undo of older turns leave files as they are. */
export const keptMs = 7 * 24 * 60 * 60_000
/** KiB of one project's snapshots above which older ones go sooner. */
const maxSize = 2 * 1024 * 1024
const expiries = ["7.days.ago", "1.day.ago", "1.hour.ago"]

/** Drops what no snapshot of the last seven days holds, and more when the snapshots take over 2 GiB. */
export async function pruneSnapshots(repository: SnapshotRepository): Promise<void> {
  for (const expiry of expiries) {
    await repository.git(["prune", `--expire=${expiry}`])
    const counts = (await repository.git(["count-objects", "-v"])).toString()
    if (Number(/^size: (\d+)$/m.exec(counts)?.[1] ?? 0) <= maxSize) return
  }
}

/**
 * Lets a snapshot that is used again count as new, and with it all that it holds: git writes no tree that is there
 * already, and prunes by age. One that the project itself keeps needs none of this.
 */
export async function renewSnapshot({ directory }: SnapshotRepository, hash: string): Promise<void> {
  const now = new Date()
  await utimes(join(directory, "objects", hash.slice(0, 2), hash.slice(2)), now, now).catch(() => {})
}

/** Tells `sweepSnapshots` of a use that leaves the index as it is. */
export async function markUsed({ directory }: SnapshotRepository): Promise<void> {
  const now = new Date()
  await utimes(join(directory, "HEAD"), now, now)
}

/** Removes the snapshots of worktrees in which nothing was changed for seven days. */
export async function sweepSnapshots(root: string, now: number): Promise<void> {
  for (const project of await readdir(root).catch(() => [])) {
    const directory = join(root, project)
    for (const name of await readdir(directory).catch(() => [])) {
      if (now - (await usedAt(join(directory, name), now)) > keptMs)
        await rm(join(directory, name), { recursive: true, force: true })
    }
  }
}

async function usedAt(directory: string, now: number): Promise<number> {
  const stats = await Promise.all(["index", "HEAD"].map((name) => stat(join(directory, name)).catch(() => null)))
  const times = stats.flatMap((facts) => (facts === null ? [] : [facts.mtimeMs]))
  return times.length === 0 ? now : Math.max(...times)
}
