import { existsSync, readdirSync } from "node:fs"
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises"
import { join } from "node:path"
import { orAborted } from "../../ground/concurrency/or-aborted.ts"
import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import { type RemotePlace, remoteGit } from "../../ground/git/remote-git.ts"
import type { LookUp, RepositoryLimits } from "../../ground/git/repository-address.ts"
import { type Environment, runGit } from "../../ground/git/run-git.ts"
import { type Project, ProjectID, type Repository } from "../../ground/schema/index.ts"
import type { Credentials } from "./credentials.ts"

/** Longest time (ms) for one talk with a server: a large repository takes a while. */
const longestFetch = 20 * 60_000
/** Most bytes of the objects of one repository, and how often (ms) they are counted while they come. */
const size = { mostBytes: 20 * 1024 ** 3, lookMs: 1_000 }

/** A project whose files come from a repository; or a submodule of one, whose id says so (`submoduleMirror`). */
export type RepositoryProject = Pick<Project, "id"> & { repository: Repository }

/**
 * Bare copies of repositories, one for each project. Nothing but Docket writes them, so their config says nothing that
 * could lead a sign-in elsewhere; the repositories of sessions borrow their objects.
 */
export interface Mirrors {
  /** The git directory of the mirror, also of one that is not there. */
  directoryOf(projectID: string): string
  /** What the administrator allows of addresses. */
  limits(): Promise<RepositoryLimits>
  /** Whether this host has it. */
  has(projectID: string): boolean
  /** Fetches the branches. Who asks while others wait gets their answer. @throws as `remoteGit` */
  fetch(project: RepositoryProject, signal: AbortSignal): Promise<void>
  /** The commit of a branch as it was fetched; null when the server has no such branch. */
  commitOf(projectID: string, ref: string): Promise<string | null>
  /** Runs git in the mirror, without the server. @throws GitError */
  git(projectID: string, args: string[]): Promise<string>
  /** Runs git with the server. @throws as `remoteGit` */
  remote(
    project: RepositoryProject,
    args: string[],
    options: { signal: AbortSignal; objects?: readonly string[] },
  ): Promise<string>
  /** What the server says of a repository that nobody has fetched. @throws as `remoteGit` */
  ask(repository: Pick<Repository, "url" | "credential">, args: string[], signal: AbortSignal): Promise<string>
  /** When it was fetched last (epoch ms). */
  usedAt(projectID: string): Promise<number>
  /** The projects that have one. */
  list(): Promise<string[]>
  remove(projectID: string): Promise<void>
  /** Ends what runs. */
  close(): Promise<void>
}

export interface MirrorsDeps {
  /** Absolute directory for all mirrors. */
  root: string
  env: Environment
  credentials: Pick<Credentials, "signIn">
  clock: () => number
  /** What the administrator allows. */
  limits(): Promise<RepositoryLimits>
  lookUp?: LookUp | undefined
}

export function createMirrors(deps: MirrorsDeps): Mirrors {
  const { root, env } = deps
  const fetching = new Map<string, Promise<void>>()
  const closing = new AbortController()
  const directoryOf = (projectID: string) => join(root, projectID)
  const git = async (projectID: string, args: string[]) => {
    const cwd = directoryOf(projectID)
    return (await runGit(args, { cwd, env, variables: { GIT_DIR: cwd } })).toString("utf8")
  }
  const placeOf = async (directory: string, { url, credential }: Pick<Repository, "url" | "credential">) => {
    const signIn = credential === null ? null : () => deps.credentials.signIn(credential, url)
    return { directory, env, url, signIn, limits: await deps.limits(), lookUp: deps.lookUp, timeout: longestFetch }
  }
  const remote: Mirrors["remote"] = async ({ id, repository }, args, { signal, objects }) => {
    await prepare(directoryOf(id), env)
    const place: RemotePlace = {
      ...(await placeOf(directoryOf(id), repository)),
      ...{ objects, signal: AbortSignal.any([signal, closing.signal]) },
    }
    return named(repository.credential, () => remoteGit(place, args))
  }
  const fetchOnce = async (project: RepositoryProject) => {
    const tooLarge = new AbortController()
    const [holder = ""] = project.id.split("/")
    const stop = watchSize(() => mirrorObjects(directoryOf(holder)), tooLarge)
    try {
      const refs = "+refs/heads/*:refs/remotes/origin/*"
      const args = ["fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", project.repository.url, refs]
      await remote(project, args, { signal: tooLarge.signal })
      // Git says nothing when nothing was new.
      const now = new Date(deps.clock())
      await utimes(directoryOf(project.id), now, now)
    } finally {
      stop()
    }
  }
  return {
    directoryOf,
    limits: deps.limits,
    has: (projectID) => existsSync(join(directoryOf(projectID), "HEAD")),
    async fetch(project, signal) {
      const running = fetching.get(project.id) ?? fetchOnce(project).finally(() => fetching.delete(project.id))
      fetching.set(project.id, running)
      // Who stops waiting does not end it for others.
      running.catch(() => {})
      await orAborted(running, signal)
    },
    async commitOf(projectID, ref) {
      const found = await git(projectID, ["for-each-ref", "--format=%(objectname)", `refs/remotes/origin/${ref}`])
      return found.trim() || null
    },
    git,
    remote,
    async ask(repository, args, signal) {
      // A git directory of its own: none would let git look for one around it.
      const directory = join(root, "asking")
      await prepare(directory, env)
      const place = { ...(await placeOf(directory, repository)), signal: AbortSignal.any([signal, closing.signal]) }
      return named(repository.credential, () => remoteGit({ ...place, timeout: 60_000 }, args))
    },
    usedAt: async (projectID) => (await stat(directoryOf(projectID))).mtimeMs,
    list: async () => (await readdir(root).catch(() => [])).filter((name) => ProjectID.safeParse(name).success),
    remove: (projectID) => rm(directoryOf(projectID), { recursive: true, force: true }),
    async close() {
      closing.abort(new DocketError("repository_unavailable", "Docket is stopping."))
      await Promise.allSettled(fetching.values())
    },
  }
}

/** Runs git with the server, and names the credential that it did not accept. */
async function named(credential: string | null, run: () => Promise<Buffer>): Promise<string> {
  try {
    return (await run()).toString("utf8")
  } catch (error) {
    if (
      !isDocketError(error) ||
      error.code !== "credential_refused" ||
      !("cause" in error) ||
      error.cause === undefined
    )
      throw error
    const way =
      credential === null
        ? "Save a credential for it and name that in the project: docket credential save NAME"
        : `Sign in again: docket credential save ${credential}`
    throw new DocketError("credential_refused", `${error.message} ${way}`, { cause: error })
  }
}

/** Makes an empty bare repository where there is none. */
async function prepare(directory: string, env: Environment): Promise<void> {
  if (existsSync(join(directory, "HEAD"))) return
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await runGit(["init", "--quiet", "--bare", "--template=", directory], { cwd: directory, env })
}

/** The directories of objects of a mirror and of those of its submodules; absolute. */
export function mirrorObjects(directory: string): string[] {
  const within = join(directory, "submodules")
  const names = existsSync(within) ? readdirSync(within) : []
  return [directory, ...names.map((name) => join(within, name))].map((mirror) => join(mirror, "objects"))
}

/** Ends a fetch that brings more than a project may have, with all its submodules. */
function watchSize(directories: () => string[], tooLarge: AbortController): () => void {
  const most = `${size.mostBytes / 1024 ** 3} GB`
  const look = async () => {
    const bytes = await Promise.all(directories().map((objects) => packedBytes(join(objects, "pack"))))
    if (bytes.reduce((sum, one) => sum + one, 0) <= size.mostBytes) return
    tooLarge.abort(
      new DocketError("repository_refused", `The repository has more than ${most}, which is too much for a project.`),
    )
  }
  const timer = setInterval(() => void look().catch(() => {}), size.lookMs)
  timer.unref()
  return () => clearInterval(timer)
}

async function packedBytes(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, one) => sum + one, 0)
}
