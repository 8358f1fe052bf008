import { createHash } from "node:crypto"
import { mkdir, realpath, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { posixRelative } from "../../ground/file/posix-relative.ts"
import { readBoundedFile } from "../../ground/file/read-bounded-file.ts"
import { projectGit } from "../../ground/git/project-git.ts"
import { type Environment, GitError, runGit } from "../../ground/git/run-git.ts"

export interface RepositoryDeps {
  /** Directory for the snapshots of all projects (absolute). */
  root: string
  /** Docket's own data: never part of a snapshot, even when it lies inside the project. */
  dataDirectory: string
  env: Environment
}

/**
 * The git directory for the snapshots of one worktree. It lies outside the project and reads the project's objects. The
 * project's own git directory is never changed.
 */
export interface SnapshotRepository {
  directory: string
  worktree: string
  /** The project's own index; absolute. */
  projectIndex: string
  /** The hash algorithm of object names. */
  objectFormat: "sha1" | "sha256"
  /** Length of an object name in hex digits. */
  hashLength: number
  /** Runs git on the snapshots. `index` names another index file than the default; `answers`: see `GitRun`. */
  git(args: string[], options?: SnapshotGitOptions): Promise<Buffer>
  /** Reads the project's own repository. */
  project(args: string[]): Promise<Buffer>
}

interface SnapshotGitOptions {
  input?: string | Uint8Array
  index?: string
  timeout?: number
  answers?: readonly number[]
}

/** Bytes stay as they are, and nothing that the project or the user configured runs. */
const config = `[core]
\trepositoryformatversion = {{version}}
\tbare = false
\tautocrlf = false
\tsafecrlf = false
\tfsmonitor = false
\thooksPath = /dev/null
\tprotectNTFS = {{windows}}
\tsplitIndex = false
[index]
\tversion = 4
[gc]
\tauto = 0
{{extensions}}`

/** The most bytes read of a repository's own exclude file. */
const maxExclude = 1_048_576

/** Time limit (ms) for listing changed and ignored files; a pipe instead of a `.gitignore` would never end. */
export const listTimeout = 20_000

/** Time limit (ms) for reading the project's own repository. */
const readTimeout = 20_000

const attributes = "* -text -filter -ident -working-tree-encoding\n"

/** Opens the snapshot repository of a worktree and creates it on first use. @throws SnapshotError */
export async function openRepository(
  deps: RepositoryDeps,
  place: { projectID: string; worktree: string },
): Promise<SnapshotRepository> {
  const { worktree } = place
  const name = createHash("sha256").update(worktree).digest("hex").slice(0, 16)
  const directory = join(deps.root, place.projectID, name)
  const { env } = deps
  const project = (args: string[]) =>
    asSnapshotError(projectGit({ directory: worktree, env, timeout: readTimeout }, args))
  const questions = ["--git-common-dir", "--git-path", "index", "--show-object-format"]
  const facts = (await project(["rev-parse", "--path-format=absolute", ...questions])).toString().split("\n")
  const [common = "", projectIndex = "", format] = facts
  const objectFormat = format === "sha256" ? format : "sha1"
  await mkdir(join(directory, "info"), { recursive: true, mode: 0o700 })
  await mkdir(join(directory, "objects", "info"), { recursive: true })
  await mkdir(join(directory, "refs"), { recursive: true })
  await writeFile(join(directory, "HEAD"), "ref: refs/heads/none\n")
  await writeFile(join(directory, "config"), configText(objectFormat))
  await writeFile(join(directory, "info", "attributes"), attributes)
  await writeFile(join(directory, "info", "exclude"), await excludes(deps, worktree, common))
  await writeFile(join(directory, "objects", "info", "alternates"), `${join(common, "objects")}\n`)
  // One process owns the data directory, so an existing lock was left by a killed git process.
  for (const name of ["index.lock", "index.undo.lock"]) await rm(join(directory, name), { force: true })
  return {
    directory,
    worktree,
    projectIndex,
    objectFormat,
    hashLength: objectFormat === "sha256" ? 64 : 40,
    project,
    git: (args, { input, index, timeout, answers } = {}) =>
      asSnapshotError(
        runGit([`--git-dir=${directory}`, `--work-tree=${worktree}`, ...args], {
          cwd: worktree,
          env,
          variables: index === undefined ? {} : { GIT_INDEX_FILE: join(directory, index) },
          input,
          timeout,
          answers,
        }),
      ),
  }
}

function asSnapshotError<T>(run: Promise<T>): Promise<T> {
  return run.catch((cause: unknown) => {
    if (!(cause instanceof GitError)) throw cause
    throw new (cause.timedOut ? TooMuchToKeep : SnapshotError)(cause.message, { cause })
  })
}

function configText(objectFormat: string): string {
  const isDefault = objectFormat === "sha1"
  return config
    .replace("{{version}}", isDefault ? "0" : "1")
    .replace("{{windows}}", String(process.platform === "win32"))
    .replace("{{extensions}}", isDefault ? "" : `[extensions]\n\tobjectFormat = ${objectFormat}\n`)
}

/** What the project's own repository ignores without a `.gitignore`, and Docket's data. */
async function excludes(deps: RepositoryDeps, worktree: string, common: string): Promise<string> {
  const own = await readBoundedFile(join(common, "info", "exclude"), maxExclude).then(String, () => "")
  const data = await realpath(deps.dataDirectory).catch(() => deps.dataDirectory)
  if (!isWithin(worktree, data) || data === worktree) return own
  const path = posixRelative(worktree, data)
  return `${own}\n/${path.replace(/[\\*?[\]#! ]/g, "\\$&")}/\n`
}

/** A snapshot cannot be taken or read. The work continues without it. */
export class SnapshotError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "SnapshotError"
  }
}

/** The directory is larger than a usual project: no snapshots are taken for a while. */
export class TooMuchToKeep extends SnapshotError {}
