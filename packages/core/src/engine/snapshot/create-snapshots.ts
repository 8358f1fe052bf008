import type { FileContent } from "../../acts/tool/tool.ts"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import type { Project } from "../../ground/schema/index.ts"
import { keepFile } from "./keep-file.ts"
import { createKeptPaths, type KeptPaths } from "./kept-paths.ts"
import { type MovedFiles, moveFiles } from "./move-files.ts"
import { markUsed, pruneSnapshots, renewSnapshot, sweepSnapshots } from "./prune-snapshots.ts"
import { type CountedChange, readChanges, readPatch, type SnapshotPair } from "./read-changes.ts"
import { TooMuchToKeep } from "./snapshot-error.ts"
import { openRepository, type RepositoryDeps, type SnapshotRepository } from "./snapshot-repository.ts"
import { type KnownSnapshot, takeSnapshot } from "./take-snapshot.ts"
import { type FileChange, type FileState, parseTree, parseTreeChanges, sameState } from "./tree-changes.ts"
import { writeTree } from "./write-tree.ts"

export interface SnapshotsDeps extends RepositoryDeps {
  clock: () => number
  onError(error: unknown): void
}

/**
 * States of a project's files. A snapshot is the hash of a git tree. Work on one worktree happens one piece after
 * another, but what concerns single files does not wait. Every method but `sweep` needs a project that is a git
 * repository. Paths are relative to its top level, with `/`. @throws SnapshotError
 */
export interface Snapshots {
  /** A snapshot of everything. */
  take(project: SnapshotPlace): Promise<string>
  /** Of these files, those that `take` would hold; they need not be there. */
  kept(project: SnapshotPlace, paths: string[]): Promise<string[]>
  /**
   * Keeps these files as they are now; null stands for none. Reads nothing else, and no file that still is as its
   * `known` content.
   */
  keep(
    project: SnapshotPlace,
    paths: string[],
    known?: ReadonlyMap<string, FileContent>,
  ): Promise<Map<string, FileState | null>>
  /** A snapshot of these files alone. */
  ofFiles(project: SnapshotPlace, files: ReadonlyMap<string, FileState | null>): Promise<string>
  /** What differs between two snapshots. */
  changes(project: SnapshotPlace, from: string, to: string): Promise<FileChange[]>
  /** What differs in each pair of snapshots, with the lines; null for a pair of which one is gone. */
  countedChanges(project: SnapshotPlace, pairs: readonly SnapshotPair[]): Promise<(CountedChange[] | null)[]>
  /** The unified diff of one file between two snapshots; empty when it is the same in both. */
  patch(project: SnapshotPlace, pair: SnapshotPair, path: string): Promise<string>
  /** Every file of a snapshot, by path. */
  files(project: SnapshotPlace, snapshot: string): Promise<Map<string, FileState>>
  /** The snapshot with some files in another state. */
  withFiles(project: SnapshotPlace, snapshot: string, files: { path: string; to: FileState | null }[]): Promise<string>
  /**
   * Brings the files that differ between two snapshots from the first to the second. A file that is in neither
   * state was changed by someone else and is left.
   */
  move(project: SnapshotPlace, from: string, to: string): Promise<MovedFiles>
  /** Removes what was not used for seven days. */
  sweep(): Promise<void>
  /** Resolves when nothing is being dropped any more: from then on only calls write. */
  settled(): Promise<void>
}

export type SnapshotPlace = Pick<Project, "id" | "worktree">

/** The last snapshot counts as fresh this long, and what is old is dropped this often (ms). */
const hour = 60 * 60_000

interface Held {
  repository: Promise<SnapshotRepository>
  keptPaths: Promise<KeptPaths>
  known: KnownSnapshot | null
  usedAt: number
  last: { hash: string; at: number } | null
  prunedAt: number
  /** Why no snapshot can be taken; asked again after an hour. */
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

  /** Of single files, beside what else is done: whole objects are written, and no index. */
  const beside = async <T>(place: SnapshotPlace, run: (repository: SnapshotRepository) => Promise<T>): Promise<T> => {
    const entry = open(place)
    const repository = await entry.repository
    if (deps.clock() - entry.usedAt > hour) {
      entry.usedAt = deps.clock()
      await markUsed(repository)
    }
    return run(repository)
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
    changes: (place, from, to) => work(place, (repository) => changesOf(repository, from, to)),
    // These write nothing, so no step's snapshot waits for them.
    countedChanges: async (place, pairs) => readChanges(await open(place).repository, pairs),
    patch: async (place, pair, path) => readPatch(await open(place).repository, pair, path),
    files: (place, snapshot) =>
      work(place, async (repository) =>
        parseTree(await repository.git(["ls-tree", "-r", "-z", "--full-tree", snapshot])),
      ),
    withFiles: (place, snapshot, files) => work(place, (repository) => withFiles(repository, snapshot, files)),
    move: (place, from, to) =>
      work(place, async (repository, entry) => move(repository, await take(repository, entry), { from, to })),
    sweep: () => sweepSnapshots(deps.root, deps.clock()),
    async settled() {
      await Promise.all(pruning)
    },
  }
}

async function takeFresh(deps: SnapshotsDeps, repository: SnapshotRepository, entry: Held): Promise<string> {
  const now = deps.clock()
  if (entry.refused !== null && now - entry.refused.at < hour) throw entry.refused.error
  const taken = await takeSnapshot(repository, entry.known).catch((error: unknown) => {
    // Not tried at every step: finding out may take long.
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

/** Moves what differs between two snapshots; `now` is one of everything. */
async function move(
  repository: SnapshotRepository,
  now: string,
  { from, to }: { from: string; to: string },
): Promise<MovedFiles> {
  const wanted = await changesOf(repository, from, to)
  const drift = new Map((await changesOf(repository, from, now)).map((change) => [change.path, change]))
  const there = wanted.filter(({ path, to }) => isDrifted(drift, path, to))
  const changed = wanted.filter(({ path, to }) => drift.has(path) && !isDrifted(drift, path, to))
  const result = await moveFiles(
    repository,
    wanted.filter(({ path }) => !drift.has(path)),
  )
  return {
    moved: [...there.map(({ path }) => path), ...result.moved].sort(),
    left: [...changed.map(({ path }) => ({ path, reason: "changed" as const })), ...result.left],
  }
}

function isDrifted(drift: Map<string, FileChange>, path: string, to: FileState | null): boolean {
  const now = drift.get(path)
  return now !== undefined && sameState(now.to, to)
}

async function changesOf(repository: SnapshotRepository, from: string, to: string): Promise<FileChange[]> {
  if (from === to) return []
  return parseTreeChanges(await repository.git(["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to]))
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
