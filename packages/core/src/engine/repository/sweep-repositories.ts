import { existsSync } from "node:fs"
import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { type Session, SessionID } from "../../ground/schema/index.ts"
import type { Mirrors } from "../../setup/repository/mirrors.ts"
import type { ProjectCheckouts } from "../../setup/repository/project-checkouts.ts"

/** How long a mirror is kept that nobody has used (ms). */
const keptMs = 30 * 24 * 3_600_000

export interface SweepDeps {
  mirrors: Pick<Mirrors, "directoryOf" | "list" | "remove" | "usedAt">
  checkouts: Pick<ProjectCheckouts, "remove">
  /** Absolute directory for the files of sessions. */
  root: string
  clock: () => number
  /** Null when it was removed. @throws when it cannot be read */
  sessionOf(id: string): Promise<Session | null>
}

/** Removes the files of sessions that are gone, and mirrors that nobody has used for 30 days. */
export async function sweepRepositories(deps: SweepDeps): Promise<void> {
  const lent = new Set<string>()
  for (const id of await sessionsWithFiles(deps.root)) {
    const directory = join(deps.root, id)
    if ((await deps.sessionOf(id)) === null) await rm(directory, { recursive: true, force: true })
    else lent.add(await borrowedBy(directory))
  }
  for (const id of await deps.mirrors.list()) {
    const isLent = [...lent].some((objects) => objects.includes(`/${id}/`))
    if (isLent || deps.clock() - (await deps.mirrors.usedAt(id)) < keptMs) continue
    // First, because it borrows its objects.
    await deps.checkouts.remove(id)
    await deps.mirrors.remove(id)
  }
}

/** The ids of sessions that have a repository of their own on this host. */
export async function sessionsWithFiles(root: string): Promise<string[]> {
  const names = (await readdir(root).catch(() => [])).filter((name) => SessionID.safeParse(name).success)
  return names.filter((name) => existsSync(alternatesOf(join(root, name))))
}

function borrowedBy(directory: string): Promise<string> {
  return readFile(alternatesOf(directory), "utf8")
}

/** Worktrees of other forks have no git directory of their own, and repositories that people cloned lend nothing. */
function alternatesOf(directory: string): string {
  return join(directory, ".git/objects/info/alternates")
}
