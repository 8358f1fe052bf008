import { lstat, mkdir, readdir, rename, rm, rmdir, stat, symlink, unlink, utimes } from "node:fs/promises"
import { dirname, join } from "node:path"
import { writeAtomic } from "../../acts/tool/checked-file.ts"
import type { FileContent } from "../../acts/tool/tool.ts"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import type { LeftFile, Project } from "../../ground/schema/index.ts"
import {
  type CountedChange,
  type FileChange,
  type FileState,
  parseTree,
  parseTreeChanges,
  readChanges,
  readPatch,
  type SnapshotPair,
  sameState,
  unkeptMode,
} from "./read-changes.ts"
import type { SnapshotPacks } from "./snapshot-packs.ts"
import { openRepository, type RepositoryDeps, type SnapshotRepository, TooMuchToKeep } from "./snapshot-repository.ts"
import {
  createKeptPaths,
  hasPlainParents,
  type KeptPaths,
  type KnownSnapshot,
  keepFile,
  takeSnapshot,
  writeTree,
} from "./take-snapshot.ts"

interface SnapshotsDeps extends RepositoryDeps {
  /** What other hosts of the same directories get of snapshots; null where there are none. */
  packs?: SnapshotPacks | null
  clock: () => number
  onError(error: unknown): void
}

/**
 * Snapshots of a project's files; each is the hash of a git tree. Work on one worktree runs in order, except work on
 * single files. All methods but `sweep` need a git repository. Paths are relative to its top, with `/`.
 * @throws SnapshotError
 */
export interface Snapshots {
  /** A snapshot of all files. */
  take(project: SnapshotPlace): Promise<string>
  /** Those of the paths that `take` would include; the files need not exist. */
  kept(project: SnapshotPlace, paths: string[]): Promise<string[]>
  /**
   * Stores these files as they are now; null stands for a missing file. Reads no other file, and none that still equals
   * its `known` content.
   */
  keep(
    project: SnapshotPlace,
    paths: string[],
    known?: ReadonlyMap<string, FileContent>,
  ): Promise<Map<string, FileState | null>>
  /** A snapshot of these files only. */
  ofFiles(project: SnapshotPlace, files: ReadonlyMap<string, FileState | null>): Promise<string>
  /** The differences between two snapshots. */
  changes(project: SnapshotPlace, from: string, to: string): Promise<FileChange[]>
  /** The differences of each pair of snapshots, with line counts; null for a pair with a removed snapshot. */
  countedChanges(project: SnapshotPlace, pairs: readonly SnapshotPair[]): Promise<(CountedChange[] | null)[]>
  /** The unified diff of one file between two snapshots; empty when the file is the same in both. */
  patch(project: SnapshotPlace, pair: SnapshotPair, path: string): Promise<string>
  /** The contents of files that snapshots hold, by the hash of their state; those that were removed are left out. */
  contents(project: SnapshotPlace, hashes: readonly string[]): Promise<Map<string, Buffer>>
  /** Every file of a snapshot, by path. */
  files(project: SnapshotPlace, snapshot: string): Promise<Map<string, FileState>>
  /** The snapshot with other states for some files. */
  withFiles(project: SnapshotPlace, snapshot: string, files: { path: string; to: FileState | null }[]): Promise<string>
  /** Writes every file of a snapshot into an empty directory, except those that are too large to keep. */
  writeInto(project: SnapshotPlace, snapshot: string, directory: string): Promise<void>
  /**
   * Moves the files that differ between two snapshots from the first state to the second. A file in neither state was
   * changed by someone else and stays untouched.
   */
  move(project: SnapshotPlace, from: string, to: string): Promise<MovedFiles>
  /** Lets other hosts of the same directories have a snapshot that a row of the tree names, in the background. */
  share(project: SnapshotPlace, rootID: string, snapshot: string): void
  /** Takes in the snapshots that other hosts took in a tree. */
  bring(project: SnapshotPlace, rootID: string): Promise<void>
  /** Removes snapshots that were not used for seven days. */
  sweep(): Promise<void>
  /** Resolves when pruning has ended: afterwards only calls write. */
  settled(): Promise<void>
}

export type SnapshotPlace = Pick<Project, "id" | "worktree">

/** The last snapshot counts as fresh this long, and old ones are pruned this often (ms). */
const hour = 60 * 60_000

/** The snapshots of one worktree, and what this process knows of them. Times are epoch ms. */
interface Held {
  repository: Promise<SnapshotRepository>
  keptPaths: Promise<KeptPaths>
  known: KnownSnapshot | null
  /** When single files last marked the snapshots as used. */
  usedAt: number
  /** The last snapshot, and when it was taken or renewed. */
  last: { hash: string; at: number } | null
  prunedAt: number
  /** Why no snapshot can be taken; tried again after an hour. */
  refused: { error: TooMuchToKeep; at: number } | null
}

export function createSnapshots(deps: SnapshotsDeps): Snapshots {
  const held = new Map<string, Held>()
  const inOrder = createKeyedQueue()
  const pruning = new Set<Promise<void>>()

  const open = ({ id, worktree }: SnapshotPlace): Held => {
    const key = `${id}\0${worktree}`
    const known = held.get(key)
    if (known !== undefined) return known
    const repository = openRepository(deps, { projectID: id, worktree })
    const keptPaths = repository.then(createKeptPaths)
    const entry: Held = { repository, keptPaths, known: null, usedAt: 0, last: null, prunedAt: 0, refused: null }
    held.set(key, entry)
    // The next use tries again.
    keptPaths.catch(() => held.delete(key))
    return entry
  }

  const work = <T>(
    place: SnapshotPlace,
    run: (repository: SnapshotRepository, entry: Held) => Promise<T>,
  ): Promise<T> =>
    inOrder(place.worktree, async () => {
      const entry = open(place)
      return run(await entry.repository, entry)
    })

  const take = (repository: SnapshotRepository, entry: Held) => takeFresh(deps, repository, entry)

  /** Work on single files runs in parallel: it writes whole objects and no index. */
  const beside = async <T>(place: SnapshotPlace, run: (repository: SnapshotRepository) => Promise<T>): Promise<T> => {
    const entry = open(place)
    const repository = await entry.repository
    if (deps.clock() - entry.usedAt > hour) {
      entry.usedAt = deps.clock()
      await markUsed(repository)
    }
    return run(repository)
  }

  /** The repository, with those of the snapshots that other hosts took. */
  const withThose = async (place: SnapshotPlace, snapshots: readonly string[]): Promise<SnapshotRepository> => {
    const repository = await open(place).repository
    await deps.packs?.bring(repository, snapshots)
    return repository
  }

  const pruneSometimes = (place: SnapshotPlace) => {
    const entry = open(place)
    if (deps.clock() - entry.prunedAt < hour) return
    entry.prunedAt = deps.clock()
    const pruned = work(place, pruneSnapshots)
      .catch(deps.onError)
      .finally(() => pruning.delete(pruned))
    pruning.add(pruned)
  }

  return {
    async take(place) {
      const hash = await work(place, take)
      pruneSometimes(place)
      return hash
    },
    kept: async (place, paths) => (await open(place).keptPaths)(paths),
    keep: (place, paths, known) =>
      beside(place, async (repository) => {
        const keep = async (path: string) => [path, await keepFile(repository, path, known?.get(path))] as const
        return new Map(await Promise.all(paths.map(keep)))
      }),
    async ofFiles(place, files) {
      const hash = await beside(place, (repository) => writeTree(repository, files))
      pruneSometimes(place)
      return hash
    },
    async changes(place, from, to) {
      await withThose(place, [from, to])
      return work(place, (repository) => changesOf(repository, from, to))
    },
    // These only read, so that snapshots of steps need not wait for them.
    countedChanges: async (place, pairs) =>
      readChanges(
        await withThose(
          place,
          pairs.flatMap(({ from, to }) => [from, to]),
        ),
        pairs,
      ),
    patch: async (place, pair, path) => readPatch(await withThose(place, [pair.from, pair.to]), pair, path),
    contents: async (place, hashes) => readBlobs(await open(place).repository, [...hashes]),
    files: (place, snapshot) => work(place, (repository) => filesOf(repository, snapshot)),
    withFiles: (place, snapshot, files) => work(place, (repository) => withFiles(repository, snapshot, files)),
    writeInto: (place, snapshot, directory) => work(place, (repository) => writeInto(repository, snapshot, directory)),
    async move(place, from, to) {
      await withThose(place, [from, to])
      return work(place, async (repository, entry) => move(repository, await take(repository, entry), { from, to }))
    },
    share: (place, rootID, snapshot) => deps.packs?.keep(() => open(place).repository, rootID, snapshot),
    async bring(place, rootID) {
      if (deps.packs) await deps.packs.bringTree(await open(place).repository, rootID)
    },
    sweep: () => sweepSnapshots(deps.root, deps.clock()),
    async settled() {
      await Promise.all([...pruning, deps.packs?.settled()])
    },
  }
}

async function takeFresh(deps: SnapshotsDeps, repository: SnapshotRepository, entry: Held): Promise<string> {
  const now = deps.clock()
  if (entry.refused !== null && now - entry.refused.at < hour) throw entry.refused.error
  const taken = await takeSnapshot(repository, entry.known).catch((error: unknown) => {
    // Not tried again at every step, because finding out may take long.
    if (error instanceof TooMuchToKeep) {
      entry.refused = { error, at: now }
      deps.onError(error)
    }
    throw error
  })
  const fresh = entry.last !== null && now - entry.last.at < hour ? entry.last.hash : null
  entry.known = taken
  const hash = taken.hash ?? fresh ?? (await repository.git(["write-tree"])).toString().trim()
  if (hash === fresh) return hash
  await renewSnapshot(repository, hash)
  entry.last = { hash, at: now }
  return hash
}

/** Moves files that differ between two snapshots. `now` is a snapshot of all current files. */
async function move(
  repository: SnapshotRepository,
  now: string,
  { from, to }: { from: string; to: string },
): Promise<MovedFiles> {
  const wanted = await changesOf(repository, from, to)
  /** How the files differ from the first state now. */
  const drift = new Map((await changesOf(repository, from, now)).map((change) => [change.path, change]))
  const there = wanted.filter(({ path, to }) => hasDriftedTo(drift, path, to))
  const changed = wanted.filter(({ path, to }) => drift.has(path) && !hasDriftedTo(drift, path, to))
  const result = await moveFiles(
    repository,
    wanted.filter(({ path }) => !drift.has(path)),
  )
  return {
    moved: [...there.map(({ path }) => path), ...result.moved].sort(),
    left: [...changed.map(({ path }) => ({ path, reason: "changed" as const })), ...result.left],
  }
}

/** Whether the file is already in the state `to`. */
function hasDriftedTo(drift: Map<string, FileChange>, path: string, to: FileState | null): boolean {
  const now = drift.get(path)
  return now !== undefined && sameState(now.to, to)
}

async function changesOf(repository: SnapshotRepository, from: string, to: string): Promise<FileChange[]> {
  if (from === to) return []
  return parseTreeChanges(await repository.git(["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to]))
}

async function filesOf(repository: SnapshotRepository, snapshot: string): Promise<Map<string, FileState>> {
  return parseTree(await repository.git(["ls-tree", "-r", "-z", "--full-tree", snapshot]))
}

async function writeInto(repository: SnapshotRepository, snapshot: string, directory: string): Promise<void> {
  const files = await filesOf(repository, snapshot)
  // git would make an empty directory of each.
  const unkept = [...files].flatMap(([path, { mode }]) => (mode === unkeptMode ? [{ path, to: null }] : []))
  const index = "index.undo"
  await repository.git(["read-tree", await withFiles(repository, snapshot, unkept)], { index })
  await repository.git(["checkout-index", "--all", "--force", `--prefix=${directory}/`], { index })
}

async function withFiles(
  repository: SnapshotRepository,
  snapshot: string,
  files: { path: string; to: FileState | null }[],
): Promise<string> {
  if (files.length === 0) return snapshot
  const index = "index.undo"
  await repository.git(["read-tree", snapshot], { index })
  const gone = `0 ${"0".repeat(repository.hashLength)}`
  const lines = files
    .toSorted((a, b) => Number(a.to !== null) - Number(b.to !== null))
    .map(({ path, to }) => `${to === null ? gone : `${to.mode} ${to.hash}`}\t${path}\0`)
  await repository.git(["update-index", "-z", "--replace", "--index-info"], { index, input: lines.join("") })
  return (await repository.git(["write-tree"], { index })).toString().trim()
}

interface MovedFiles {
  /** Files that now have the wanted state. */
  moved: string[]
  left: LeftFile[]
}

/** How many files are written before the next ones are read. */
const chunkSize = 100

/**
 * Moves files from one state to another, one by one: first deletions, then writes, each atomically. A directory, or a
 * file that no snapshot knows (such as an ignored one), stays untouched.
 */
async function moveFiles(repository: SnapshotRepository, changes: FileChange[]): Promise<MovedFiles> {
  const result: MovedFiles = { moved: [], left: [] }
  const leave = (path: string, reason: LeftFile["reason"]) => result.left.push({ path, reason })
  const movable = changes.filter(({ path, from, to }) => {
    const unkept = from?.mode === unkeptMode || to?.mode === unkeptMode
    if (unkept) leave(path, "too_large")
    return !unkept
  })
  for (const { path, to } of movable) {
    if (to !== null) continue
    if (await removeFile(repository.worktree, path)) result.moved.push(path)
    else leave(path, "blocked")
  }
  const written = movable.flatMap(({ path, from, to }) => (to === null ? [] : [{ path, from, to }]))
  for (let at = 0; at < written.length; at += chunkSize) {
    const chunk = written.slice(at, at + chunkSize)
    const blobs = await readBlobs(repository, [...new Set(chunk.map(({ to }) => to.hash))])
    for (const { path, from, to } of chunk) {
      const content = blobs.get(to.hash)
      if (content === undefined) leave(path, "expired")
      else if (from === null && (await exists(join(repository.worktree, path)))) leave(path, "changed")
      else if (await writeFile(repository.worktree, path, { to, content })) result.moved.push(path)
      else leave(path, "blocked")
    }
  }
  return result
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null)) !== null
}

/** Removes a file and the directories above it that become empty, as git does. */
async function removeFile(worktree: string, path: string): Promise<boolean> {
  const file = join(worktree, path)
  const facts = await lstat(file).catch(() => null)
  if (facts === null) return true
  if (facts.isDirectory() || !(await hasPlainParents(worktree, path))) return false
  try {
    await unlink(file)
  } catch {
    return false
  }
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    const entries = await readdir(join(worktree, parent)).catch(() => ["?"])
    if (entries.length > 0 || !(await tryToRemove(join(worktree, parent)))) break
  }
  return true
}

async function tryToRemove(directory: string): Promise<boolean> {
  return rmdir(directory).then(
    () => true,
    () => false,
  )
}

async function writeFile(
  worktree: string,
  path: string,
  { to, content }: { to: FileState; content: Buffer },
): Promise<boolean> {
  const file = join(worktree, path)
  if (!(await hasPlainParents(worktree, path)) || (await lstat(file).catch(() => null))?.isDirectory()) return false
  try {
    if (to.mode === "120000") await writeLink(file, content.toString("utf8"))
    else await writeAtomic(file, content, { mode: await modeOf(file, to.mode === "100755") })
    return true
  } catch {
    // No permission, a full disk, or a replaced parent: the user is told which file it is.
    return false
  }
}

/** The mode of the existing file with the right execute bits; new files get the default mode. */
async function modeOf(file: string, executable: boolean): Promise<number | null> {
  const facts = await lstat(file).catch(() => null)
  if (!facts?.isFile()) return executable ? 0o755 : null
  const mode = facts.mode & 0o777
  // Everyone who may read the file may execute it.
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111
}

async function writeLink(file: string, target: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const temporary = `${file}.docket-link`
  await symlink(target, temporary)
  await rename(temporary, file)
}

/** Contents of objects by hash; missing objects are omitted. */
async function readBlobs(repository: SnapshotRepository, hashes: string[]): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>()
  if (hashes.length === 0) return blobs
  const output = await repository.git(["cat-file", "--batch"], { input: `${hashes.join("\n")}\n` })
  let at = 0
  while (at < output.length) {
    const end = output.indexOf(10, at)
    const [hash = "", type = "", size = "0"] = output.toString("utf8", at, end).split(" ")
    at = end + 1
    if (type !== "blob") continue
    blobs.set(hash, output.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return blobs
}

/** How long snapshots are kept. Undo and redo of older turns leave the files unchanged. */
const keptMs = 7 * 24 * 60 * 60_000
/** KiB of one project's snapshots above which older ones are removed earlier. */
const maxSize = 2 * 1024 * 1024
const expiries = ["7.days.ago", "1.day.ago", "1.hour.ago"]

/** Removes objects that no snapshot of the last seven days uses, and newer ones when the snapshots exceed 2 GiB. */
async function pruneSnapshots(repository: SnapshotRepository): Promise<void> {
  for (const expiry of expiries) {
    await repository.git(["prune", `--expire=${expiry}`])
    const counts = (await repository.git(["count-objects", "-v"])).toString()
    if (Number(/^size: (\d+)$/m.exec(counts)?.[1] ?? 0) <= maxSize) return
  }
}

/**
 * Makes a snapshot that is used again count as new, with all its objects: git does not rewrite an existing tree, and
 * prunes by age. An object in the project's own repository does not need this.
 */
async function renewSnapshot({ directory }: SnapshotRepository, hash: string): Promise<void> {
  const now = new Date()
  await utimes(join(directory, "objects", hash.slice(0, 2), hash.slice(2)), now, now).catch(() => {})
}

/** Marks the snapshots as used for `sweepSnapshots`, when the index does not change. */
async function markUsed({ directory }: SnapshotRepository): Promise<void> {
  const now = new Date()
  await utimes(join(directory, "HEAD"), now, now)
}

/** Removes the snapshots of worktrees that did not change for seven days. */
async function sweepSnapshots(root: string, now: number): Promise<void> {
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
