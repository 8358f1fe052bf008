import { lstat } from "node:fs/promises"
import { join } from "node:path"
import { listTimeout, SnapshotError, type SnapshotRepository } from "./snapshot-repository.ts"

/**
 * A file in a snapshot; null stands for a missing file. Links and files that are too large to keep have special modes.
 */
export interface FileState {
  /** git's mode: `100644`, `100755`, `120000` for a link, `160000` for a file that is not kept. */
  mode: string
  hash: string
}

export interface FileChange {
  /** Relative to the git top level, with `/`. */
  path: string
  from: FileState | null
  to: FileState | null
}

/** The hashes of two snapshots. */
export interface SnapshotPair {
  from: string
  to: string
}

export interface CountedChange extends FileChange {
  /** Null for a file that is not text or too large for a diff. */
  lines: { added: number; removed: number } | null
}

/** Larger files get no diff (git's own limit is 512 MB, which would be held as text in memory). */
const diffOptions = ["-c", "core.bigFileThreshold=4m"]
const plain = ["-r", "--no-renames", "--no-ext-diff", "--no-textconv"]

/** The differences of each pair, by one git process for all; null for a pair with a removed snapshot. */
export async function readChanges(
  repository: SnapshotRepository,
  pairs: readonly SnapshotPair[],
): Promise<(CountedChange[] | null)[]> {
  if (pairs.length === 0) return []
  try {
    return await diffTrees(repository, pairs)
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    // git stops at the first missing snapshot: run it again without the pairs that have one.
    const there = await existing(repository, new Set(pairs.flatMap(({ from, to }) => [from, to])))
    const complete = pairs.filter(({ from, to }) => there.has(from) && there.has(to))
    if (complete.length === pairs.length) throw error
    const read = complete.length === 0 ? [] : await diffTrees(repository, complete)
    const byPair = new Map(complete.map((pair, index) => [pair, read[index] ?? null]))
    return pairs.map((pair) => byPair.get(pair) ?? null)
  }
}

/** The unified diff of one file between two snapshots. */
export async function readPatch(
  repository: SnapshotRepository,
  { from, to }: SnapshotPair,
  path: string,
): Promise<string> {
  const options = ["-p", "--src-prefix=a/", "--dst-prefix=b/", "--unified=3"]
  const args = [...diffOptions, "--literal-pathspecs", "diff-tree", ...plain, ...options, from, to, "--", path]
  return (await repository.git(args, { timeout: listTimeout })).toString()
}

async function diffTrees(repository: SnapshotRepository, pairs: readonly SnapshotPair[]): Promise<CountedChange[][]> {
  const input = pairs.map(({ from, to }) => `${from} ${to}\n`).join("")
  const args = [...diffOptions, "diff-tree", "--stdin", ...plain, "-z", "--raw", "--numstat"]
  const output = (await repository.git(args, { input, timeout: listTimeout })).toString()
  return parsePairs(output)
}

const header = /([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n/y

/** For each pair: a line with its names, then the changes, then the line counts. All but the first end with a NUL. */
function parsePairs(output: string): CountedChange[][] {
  const pairs: CountedChange[][] = []
  for (let at = 0; at < output.length; ) {
    header.lastIndex = at
    if (!header.test(output)) throw new SnapshotError("git diff-tree wrote what cannot be read.")
    const fields: string[] = []
    const figures = new Map<string, CountedChange["lines"]>()
    for (at = header.lastIndex; at < output.length; ) {
      header.lastIndex = at
      if (header.test(output)) break
      const end = endOf(output, at)
      const field = output.slice(at, end)
      at = end + 1
      if (field.startsWith(":")) {
        const pathEnd = endOf(output, at)
        fields.push(field, output.slice(at, pathEnd))
        at = pathEnd + 1
      } else {
        const [added = "", removed = "", ...path] = field.split("\t")
        figures.set(path.join("\t"), added === "-" ? null : { added: Number(added), removed: Number(removed) })
      }
    }
    pairs.push(parseTreeChanges(Buffer.from(`${fields.join("\0")}\0`)).map((change) => counted(change, figures)))
  }
  return pairs
}

function endOf(output: string, at: number): number {
  const end = output.indexOf("\0", at)
  return end < 0 ? output.length : end
}

function counted(change: FileChange, figures: ReadonlyMap<string, CountedChange["lines"]>): CountedChange {
  const isKept = change.from?.mode !== unkeptMode && change.to?.mode !== unkeptMode
  return { ...change, lines: isKept ? (figures.get(change.path) ?? null) : null }
}

async function existing(repository: SnapshotRepository, hashes: ReadonlySet<string>): Promise<Set<string>> {
  const output = await repository.git(["cat-file", "--batch-check"], { input: `${[...hashes].join("\n")}\n` })
  return new Set(
    output
      .toString()
      .split("\n")
      .filter((line) => line !== "" && !line.endsWith(" missing"))
      .map((line) => line.split(" ")[0] ?? ""),
  )
}

/** How far file timestamps may be behind the clock (ms). */
const slackMs = 1_000

/**
 * New files among the changes since `since` (epoch ms) that are older than that: they existed before and only became
 * visible because they are not ignored any more. Excludes moved files.
 */
export async function olderFiles(worktree: string, changes: FileChange[], since: number): Promise<Set<string>> {
  const known = new Set(changes.flatMap(({ from }) => (from === null ? [] : [from.hash])))
  const older = new Set<string>()
  for (const { path, from, to } of changes) {
    if (from !== null || to === null || known.has(to.hash)) continue
    const facts = await lstat(join(worktree, path)).catch(() => null)
    if (facts !== null && facts.birthtimeMs < since - slackMs) older.add(path)
  }
  return older
}

/** The mode of a file that is too large to keep, and of a nested repository. */
export const unkeptMode = "160000"

export function sameState(a: FileState | null, b: FileState | null): boolean {
  return a === null || b === null ? a === b : a.mode === b.mode && a.hash === b.hash
}

/** Reads `git diff-tree -r -z --raw --no-renames`. */
export function parseTreeChanges(output: Buffer): FileChange[] {
  const fields = output.toString("utf8").split("\0")
  const changes: FileChange[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [fromMode = "", toMode = "", fromHash = "", toHash = ""] = (fields[at] ?? "").slice(1).split(" ")
    changes.push({ path: fields[at + 1] ?? "", from: state(fromMode, fromHash), to: state(toMode, toHash) })
  }
  return changes
}

/** Reads `git ls-tree -r -z`. */
export function parseTree(output: Buffer): Map<string, FileState> {
  const files = new Map<string, FileState>()
  for (const line of output.toString("utf8").split("\0")) {
    const tab = line.indexOf("\t")
    const [mode = "", , hash = ""] = line.slice(0, tab).split(" ")
    if (tab > 0) files.set(line.slice(tab + 1), { mode, hash })
  }
  return files
}

function state(mode: string, hash: string): FileState | null {
  return mode === "000000" ? null : { mode, hash }
}
