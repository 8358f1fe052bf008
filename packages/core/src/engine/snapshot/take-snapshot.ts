import { createHash, randomBytes } from "node:crypto"
import { access, constants, lstat, mkdir, readFile, readlink, rename, rm, utimes, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { deflate, constants as zlib } from "node:zlib"
import type { FileContent } from "../../acts/tool/tool.ts"
import { fileStamp, hasStamp } from "../../ground/file/file-stamp.ts"
import { type FileState, unkeptMode } from "./read-changes.ts"
import { listTimeout, type SnapshotRepository, TooMuchToKeep } from "./snapshot-repository.ts"

/** A directory with more untracked files is no project, but for example a home directory in git. */
const maxUntrackedFiles = 20_000

/** Files that a project tracks although it ignores them, for one state of its index. */
interface TrackedIgnored {
  /** Stamps of the project's index and `HEAD`. */
  index: string
  paths: string[]
}

/** What the next call needs to know. */
export interface KnownSnapshot {
  ignored: TrackedIgnored
  /** The tree contains files that are too large to keep; the index does not. */
  hasUnkept: boolean
}

interface TakenSnapshot extends KnownSnapshot {
  /** The tree's hash, or null when nothing changed since the last call on this index. */
  hash: string | null
}

/**
 * Adds the files of the worktree to the index and writes a tree: tracked files, and untracked ones that are not
 * ignored. Reads only what changed since the last call.
 * @throws SnapshotError; TooMuchToKeep when there are too many untracked files
 */
export async function takeSnapshot(
  repository: SnapshotRepository,
  known: KnownSnapshot | null,
): Promise<TakenSnapshot> {
  const before = known?.ignored ?? null
  const [seen, listed] = await Promise.all([
    repository.git(["ls-files", "-z", "-o", "-m", "-d", "--exclude-standard"], { timeout: listTimeout }).then(names),
    trackedIgnored(repository, before),
  ])
  // A changed .gitignore can change which tracked files are ignored, while the project's index stays the same.
  const isListed = listed !== before || !seen.some((path) => basename(path) === ".gitignore")
  const ignored = isListed ? listed : await trackedIgnored(repository, null)
  const paths = new Set([...seen, ...ignored.paths])
  if (paths.size === 0 && known?.hasUnkept !== true) return { hash: null, ignored, hasUnkept: false }
  return { ...(await takePaths(repository, paths)), ignored }
}

/** Runs git only when the project's index has changed. */
async function trackedIgnored(repository: SnapshotRepository, known: TrackedIgnored | null): Promise<TrackedIgnored> {
  const { projectIndex } = repository
  const index = (await Promise.all([projectIndex, join(dirname(projectIndex), "HEAD")].map(fileStamp))).join()
  if (index === known?.index) return known
  return { index, paths: names(await repository.project(["ls-files", "-z", "-c", "-i", "--exclude-standard"])) }
}

async function takePaths(repository: SnapshotRepository, paths: Set<string>) {
  if (paths.size > maxUntrackedFiles) await requireFewUntracked(repository, paths)
  const { kept, unkept } = await splitBySize(repository, paths)
  if (unkept.size > 0) await noteUnkept(repository, unkept)
  if (kept.length > 0) await add(repository, kept)
  const hash = (await repository.git(["write-tree"])).toString().trim()
  if (unkept.size > 0) await forgetUnkept(repository, unkept)
  return { hash, hasUnkept: unkept.size > 0 }
}

async function requireFewUntracked(repository: SnapshotRepository, paths: Set<string>): Promise<void> {
  const tracked = await trackedFiles(repository)
  const untracked = [...paths].filter((path) => !tracked.has(path)).length
  if (untracked <= maxUntrackedFiles) return
  throw new TooMuchToKeep(
    `${repository.worktree} holds ${untracked} files that git neither tracks nor ignores. Undo keeps at most ${maxUntrackedFiles}: name what is not part of the project in .gitignore.`,
  )
}

/** Separates the untracked files that are too large to keep from all others. */
async function splitBySize(repository: SnapshotRepository, paths: Set<string>) {
  const kept: string[] = []
  const large = new Map<string, FileState>()
  for (const path of paths) {
    const facts = await lstat(join(repository.worktree, path)).catch(() => null)
    if (facts?.isFile() && facts.size > maxUntracked) large.set(path, unkeptState(repository, facts))
    else kept.push(path)
  }
  if (large.size === 0) return { kept, unkept: large }
  const tracked = await trackedFiles(repository)
  for (const path of [...large.keys()].filter((path) => tracked.has(path))) {
    kept.push(path)
    large.delete(path)
  }
  return { kept, unkept: large }
}

/** Adds files that are too large to keep to the index, with a hash that changes with the file. */
async function noteUnkept(repository: SnapshotRepository, unkept: Map<string, FileState>): Promise<void> {
  const lines = [...unkept].map(([path, { mode, hash }]) => `${mode} ${hash}\t${path}\0`)
  await repository.git(["update-index", "-z", "--replace", "--index-info"], { input: lines.join("") })
}

/**
 * Removes the entries of `noteUnkept` from the index: git treats a directory that takes the place of such a file as a
 * repository and would not list new files in it.
 */
async function forgetUnkept(repository: SnapshotRepository, unkept: Map<string, FileState>): Promise<void> {
  await repository.git(["update-index", "-z", "--force-remove", "--stdin"], { input: [...unkept.keys()].join("\0") })
}

async function add(repository: SnapshotRepository, paths: string[]): Promise<void> {
  const update = (list: string[]) =>
    repository.git(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], { input: list.join("\0") })
  try {
    await update(paths)
  } catch {
    // git fails at an unreadable file or a missing submodule: keep the other files.
    await update(await readable(repository, paths))
  }
}

async function readable(repository: SnapshotRepository, paths: string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const file = join(repository.worktree, path)
    const facts = await lstat(file).catch(() => null)
    const denied =
      facts?.isFile() &&
      (await access(file, constants.R_OK).then(
        () => false,
        () => true,
      ))
    if (!(denied || facts?.isDirectory())) found.push(path)
  }
  return found
}

/** Untracked files are kept up to this size (bytes): build outputs would fill the disk. */
const maxUntracked = 2 * 1024 * 1024

/**
 * Stores one file as it is now, as a full snapshot would; null when there is no file. Does not read a file that still
 * equals `known`.
 */
export async function keepFile(
  repository: SnapshotRepository,
  path: string,
  known?: FileContent,
): Promise<FileState | null> {
  const file = join(repository.worktree, path)
  if (known !== undefined && known.bytes.length <= maxUntracked && (await hasStamp(file, known.stamp))) {
    return { mode: modeOf(known), hash: await keepContent(repository, known.bytes) }
  }
  const facts = await lstat(file).catch(() => null)
  // As in git, nothing behind a symbolic link belongs to the project.
  if (facts === null || !(await hasPlainParents(repository.worktree, path))) return null
  if (facts.isSymbolicLink()) {
    return { mode: "120000", hash: await keepContent(repository, Buffer.from(await readlink(file))) }
  }
  if (!facts.isFile()) return null
  if (facts.size > maxUntracked && !(await trackedFiles(repository, [path])).has(path)) {
    return unkeptState(repository, facts)
  }
  return { mode: modeOf(facts), hash: await keepContent(repository, await readFile(file)) }
}

function modeOf({ mode }: { mode: number }): string {
  return (mode & 0o100) === 0 ? "100644" : "100755"
}

async function keepContent(repository: SnapshotRepository, content: Buffer): Promise<string> {
  const blob = gitObject(repository, "blob", content)
  await writeObject(repository, blob)
  return blob.name
}

/** The state of a file that is too large to keep: a hash of its size and time, so that a change is still noticed. */
function unkeptState(
  { hashLength }: Pick<SnapshotRepository, "hashLength">,
  { size, mtimeMs }: { size: number; mtimeMs: number },
): FileState {
  const hash = createHash("sha256").update(`${size}:${mtimeMs}`).digest("hex").slice(0, hashLength)
  return { mode: unkeptMode, hash }
}

interface Entry {
  mode: string
  name: string
  hash: string
}

const directoryMode = "40000"

/** Writes a tree of these files only, by path, without files whose state is null. @returns its hash */
export async function writeTree(
  repository: SnapshotRepository,
  files: ReadonlyMap<string, FileState | null>,
): Promise<string> {
  const { top, all } = treeObjects(repository, files)
  await Promise.all(all.map((tree) => writeObject(repository, tree)))
  return top.name
}

function treeObjects(
  repository: SnapshotRepository,
  files: ReadonlyMap<string, FileState | null>,
): { top: GitObject; all: GitObject[] } {
  const entries: Entry[] = []
  const below = new Map<string, Map<string, FileState>>()
  for (const [path, state] of files) {
    if (state === null) continue
    const slash = path.indexOf("/")
    if (slash < 0) {
      entries.push({ mode: state.mode, name: path, hash: state.hash })
      continue
    }
    const inner = below.get(path.slice(0, slash)) ?? new Map<string, FileState>()
    below.set(path.slice(0, slash), inner.set(path.slice(slash + 1), state))
  }
  const all: GitObject[] = []
  for (const [name, inner] of below) {
    const trees = treeObjects(repository, inner)
    all.push(...trees.all)
    entries.push({ mode: directoryMode, name, hash: trees.top.name })
  }
  const top = gitObject(repository, "tree", encode(entries))
  return { top, all: [...all, top] }
}

/** Entries sorted by the bytes of their names as in git: a directory's name counts as ending with `/`. */
function encode(entries: Entry[]): Buffer {
  const sortKey = ({ mode, name }: Entry) => Buffer.from(mode === directoryMode ? `${name}/` : name)
  const sorted = entries.toSorted((a, b) => Buffer.compare(sortKey(a), sortKey(b)))
  return Buffer.concat(
    sorted.flatMap(({ mode, name, hash }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, "hex")]),
  )
}

const compress = promisify(deflate)

/** A file's content or a tree in git's format. Source: gitformat-loose(5). */
interface GitObject {
  /** The hash (hex). */
  name: string
  bytes: Buffer
}

function gitObject(
  { objectFormat }: Pick<SnapshotRepository, "objectFormat">,
  type: "blob" | "tree",
  content: Buffer,
): GitObject {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  return { name: createHash(objectFormat).update(bytes).digest("hex"), bytes }
}

/** Stores an object in the snapshot repository, without starting git. An existing object counts as new. */
async function writeObject({ directory }: SnapshotRepository, { name, bytes }: GitObject): Promise<void> {
  const file = join(directory, "objects", name.slice(0, 2), name.slice(2))
  if (await tryToRenew(file)) return
  const content = await compress(bytes, { level: zlib.Z_BEST_SPEED })
  // Atomic for readers. git removes what a crash leaves under this name.
  const temporary = join(dirname(file), `tmp_obj_${randomBytes(6).toString("hex")}`)
  try {
    await writeInto(temporary, content)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** How often the directory of an object is made again: each simultaneous prune may remove it once. */
const mostPrunes = 5

/**
 * Makes the directory only when it is missing, which is seldom. `git prune` removes an empty one, even if it was just
 * made.
 */
async function writeInto(file: string, content: Buffer): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      if (tries > 0) await mkdir(dirname(file), { recursive: true })
      return await writeFile(file, content, { mode: 0o444, flag: "wx" })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === mostPrunes) throw error
    }
  }
}

/** Gives an existing file the present time, so that git does not prune it; false when there is no such file. */
async function tryToRenew(file: string): Promise<boolean> {
  const now = new Date()
  return utimes(file, now, now).then(
    () => true,
    () => false,
  )
}

/** Returns those of the paths that a full snapshot would include. */
export type KeptPaths = (paths: string[]) => Promise<string[]>

/** How many answers are cached. */
const maxAnswers = 10_000

/**
 * Tells which paths a full snapshot would include: not ignored, or tracked although ignored, and in no nested
 * repository. Answers are cached until a `.gitignore` above the path or the project's index changes; changes of ignore
 * files outside the worktree are not noticed.
 */
export function createKeptPaths(repository: SnapshotRepository): KeptPaths {
  const answers = new Map<string, { version: string; isKept: boolean }>()
  return async (paths) => {
    const versions = new Map(
      await Promise.all(paths.map(async (path) => [path, await rulesVersion(repository, path)] as const)),
    )
    const unanswered = paths.filter((path) => answers.get(path)?.version !== versions.get(path))
    if (unanswered.length > 0) {
      const kept = await askGit(repository, unanswered)
      if (answers.size > maxAnswers) answers.clear()
      for (const path of unanswered) answers.set(path, { version: versions.get(path) ?? "", isKept: kept.has(path) })
    }
    return paths.filter((path) => answers.get(path)?.isKept)
  }
}

async function askGit(repository: SnapshotRepository, paths: string[]): Promise<Set<string>> {
  const own: string[] = []
  for (const path of paths) if (!(isOfGit(path) || (await isInNestedRepository(repository, path)))) own.push(path)
  if (own.length === 0) return new Set()
  // A name may begin with `:`, which is special in git's pathspecs.
  const input = own.map((path) => `./${path}`).join("\0")
  const answer = await repository.git(["check-ignore", "-z", "--stdin"], {
    input,
    answers: [noneIgnored],
    timeout: listTimeout,
  })
  const ignored = names(answer).map((path) => path.slice(2))
  const tracked = ignored.length > 0 ? await trackedFiles(repository, ignored) : new Set()
  return new Set(own.filter((path) => !ignored.includes(path) || tracked.has(path)))
}

/** A `.git` directory is part of no snapshot, in whatever case its name is written (git's `verify_path`). */
function isOfGit(path: string): boolean {
  return path.split("/").some((name) => name.toLowerCase() === ".git")
}

/** Exit code of `git check-ignore`. */
const noneIgnored = 1

async function isInNestedRepository({ worktree }: SnapshotRepository, path: string): Promise<boolean> {
  for (const directory of above(path).slice(1)) {
    if ((await fileStamp(join(worktree, directory, ".git"))) !== "none") return true
  }
  return false
}

/** A stamp of everything that the answer for a path depends on: ignore files, nested repositories and the index. */
async function rulesVersion({ worktree, projectIndex }: SnapshotRepository, path: string): Promise<string> {
  const lists = above(path).map((directory) => join(worktree, directory, ".gitignore"))
  const others = above(path)
    .slice(1)
    .map((directory) => join(worktree, directory, ".git"))
  return (await Promise.all([...lists, ...others, projectIndex].map(fileStamp))).join()
}

/** The directories that contain a path, the top one (`.`) first. */
function above(path: string): string[] {
  const directory = dirname(path)
  return directory === "." ? ["."] : [...above(directory), directory]
}

/** Which of these paths, or of all files (`:/`), the project's own git tracks. */
async function trackedFiles(repository: SnapshotRepository, paths: string[] = [":/"]): Promise<Set<string>> {
  const literal = paths[0] === ":/" ? [] : ["--literal-pathspecs"]
  return new Set(names(await repository.project([...literal, "ls-files", "-z", "--full-name", "--", ...paths])))
}

/** The paths that git lists, without those that end with `/`: nested repositories, which have their own history. */
function names(output: Buffer): string[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "" && !path.endsWith("/"))
}

/** Whether every directory above a path is a real one or missing: a symbolic link could lead out of the project. */
export async function hasPlainParents(worktree: string, path: string): Promise<boolean> {
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    const facts = await lstat(join(worktree, parent)).catch(() => null)
    if (facts !== null && !facts.isDirectory()) return false
  }
  return true
}
