import { createHash } from "node:crypto"
import { lstatSync, mkdirSync, readdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import { projectGit } from "../../ground/git/project-git.ts"
import { type Environment, runGit } from "../../ground/git/run-git.ts"
import type { SessionSubmodule } from "../../ground/schema/index.ts"
import { borrow } from "./make-checkout.ts"
import { type Mirrors, mirrorObjects, type RepositoryProject } from "./mirrors.ts"
import {
  checkSubmodulePath,
  type SubmoduleLink,
  submoduleAddress,
  submoduleAddresses,
  submoduleLinks,
} from "./named-submodules.ts"

/** Most submodules of a session, with those within others, and how deep they may lie; a repository can name itself. */
const most = { count: 50, depth: 5 }
/** Longest time (ms) in which the submodules of a session are fetched; as for its repository. */
const longestMs = 20 * 60_000

export interface SubmodulesDeps {
  mirrors: Pick<Mirrors, "directoryOf" | "fetch" | "git" | "limits" | "remote">
  env: Environment
}

/** A repository whose submodules are made. */
interface Around {
  project: RepositoryProject
  /** Its address and those around it, from the outermost. */
  urls: readonly string[]
  /** Its directory, and that from the top of the session. */
  directory: string
  prefix: string
  /** Its files, and the commits of the server whose `.gitmodules` count, the last one most. */
  files: string
  named: readonly string[]
}

/**
 * Gives a checkout the files of its submodules, each as a repository of its own that borrows from a mirror. Nobody else may
 * use the directory meanwhile. One that cannot be had stays empty, and says why.
 * @param commits.named whose `.gitmodules` count: such as the server has, so that no agent chooses what is fetched
 * @returns those of the session's repository and those within them; none for most
 */
export async function makeSubmodules(
  deps: SubmodulesDeps,
  project: RepositoryProject,
  { directory, files, named }: { directory: string; files: string; named: readonly string[] },
  signal: AbortSignal,
): Promise<SessionSubmodule[]> {
  const made: SessionSubmodule[] = []
  const within = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const fill = async (around: Around): Promise<void> => {
    const addresses = new Map<string, string>()
    for (const commit of around.named)
      for (const [path, url] of await submoduleAddresses(deps.mirrors, around.project.id, commit))
        addresses.set(path, url)
    if (addresses.size === 0) return
    for (const link of await submoduleLinks(deps.mirrors, around.project.id, around.files)) {
      if (made.length >= most.count) return
      const path = `${around.prefix}${link.path}`
      const address = addresses.get(link.path) ?? ""
      try {
        const inner = await makeOne(deps, around, { link, address, signal: within })
        made.push({ path, url: inner.project.repository.url, problem: null })
        await fill({ ...inner, prefix: `${path}/` })
      } catch (error) {
        if (signal.aborted) throw signal.reason
        made.push({ path, url: address, problem: sentenceOf(error, within) })
      }
    }
  }
  await fill({ project, urls: [project.repository.url], directory, prefix: "", files, named })
  return made
}

/** The mirror of a submodule lies in that of its project, and goes with it. */
function submoduleMirror(project: RepositoryProject, url: string): RepositoryProject {
  const [holder] = project.id.split("/")
  const { credential } = project.repository
  const isSameServer = new URL(url).origin === new URL(project.repository.url).origin
  const sameCredential = isSameServer ? credential : null
  // Another sign-in may see another repository.
  const key = createHash("sha256")
    .update(`${sameCredential ?? ""}\n${url}`)
    .digest("hex")
    .slice(0, 32)
  return {
    id: `${holder}/submodules/${key}`,
    repository: { url, ref: "HEAD", credential: sameCredential, subdirectory: null },
  }
}

async function makeOne(
  deps: SubmodulesDeps,
  around: Around,
  { link, address, signal }: { link: SubmoduleLink; address: string; signal: AbortSignal },
): Promise<Omit<Around, "prefix">> {
  signal.throwIfAborted()
  checkSubmodulePath(link.path)
  if (address === "") throw refused("The .gitmodules of the branch does not say where it is.")
  const url = submoduleAddress(address, around.project.repository.url, await deps.mirrors.limits())
  if (around.urls.includes(url)) throw refused("It contains itself.")
  if (around.urls.length > most.depth) throw refused(`Submodules within submodules end after ${most.depth} of them.`)
  const project = submoduleMirror(around.project, url)
  await fetchCommit(deps, project, link.commit, signal)
  const directory = emptyDirectory(around.directory, link.path)
  const { env } = deps
  // Nobody else has the directory yet, so its config is Docket's own.
  const git = (args: string[]) => runGit(args, { cwd: directory, env })
  try {
    await git(["init", "--quiet", "--template=", directory])
    await borrow(directory, join(deps.mirrors.directoryOf(project.id), "objects"))
    await git(["remote", "add", "origin", url])
    // As `git submodule update` leaves it: on no branch.
    await git(["update-ref", "--no-deref", "HEAD", link.commit])
    await projectGit({ directory, env, timeout: longestMs }, ["reset", "--quiet", "--hard"])
  } catch (error) {
    for (const name of readdirSync(directory)) await rm(join(directory, name), { recursive: true, force: true })
    throw error
  }
  return { project, urls: [...around.urls, url], directory, files: link.commit, named: [link.commit] }
}

/** Has the commit in the mirror. The server is asked only for one that is not there. @throws repository_unavailable */
async function fetchCommit(
  { mirrors }: SubmodulesDeps,
  project: RepositoryProject,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  const isThere = () => hasCommit(mirrors, project.id, commit)
  if (await isThere()) return
  await mirrors.fetch(project, signal).catch((error: unknown) => {
    if (!isDocketError(error) || error.code !== "credential_refused" || project.repository.credential !== null)
      throw error
    throw refused(`${new URL(project.repository.url).host} lets nobody in without a sign-in, and gets none.`)
  })
  if (await isThere()) return
  const { url } = project.repository
  // Reached by a tag alone, or by nothing any more.
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", url, `+${commit}:refs/named/${commit}`]
  await mirrors.remote(project, args, { signal }).catch((error: unknown) => {
    if (signal.aborted || (isDocketError(error) && error.code === "credential_refused")) throw error
  })
  if (await isThere()) return
  throw new DocketError("repository_unavailable", `${url} does not have its commit ${commit.slice(0, 10)}.`)
}

/** Whether a mirror is there and has the commit with all that it needs. */
function hasCommit(mirrors: Pick<Mirrors, "git">, mirror: string, commit: string): Promise<boolean> {
  return succeeds(mirrors.git(mirror, ["cat-file", "-e", `${commit}^{tree}`]))
}

function succeeds(run: Promise<unknown>): Promise<boolean> {
  return run.then(
    () => true,
    () => false,
  )
}

/** Whether the mirror of any submodule of a project has a commit: its server has it, too. */
export function isKnownToSubmodules(
  { mirrors, env }: { mirrors: Pick<Mirrors, "directoryOf">; env: Environment },
  projectID: string,
  commit: string,
): Promise<boolean> {
  const directory = mirrors.directoryOf(projectID)
  const variables = { GIT_DIR: directory, GIT_ALTERNATE_OBJECT_DIRECTORIES: mirrorObjects(directory).join(":") }
  return succeeds(runGit(["cat-file", "-e", `${commit}^{commit}`], { cwd: directory, env, variables }))
}

/** @throws repository_refused when a link or a file is in the way */
function emptyDirectory(top: string, path: string): string {
  let directory = top
  for (const name of path.split("/")) {
    directory = join(directory, name)
    const found = lstatSync(directory, { throwIfNoEntry: false })
    if (found === undefined) mkdirSync(directory)
    else if (!found.isDirectory()) throw refused("A file or a link is in its place.")
  }
  if (readdirSync(directory).length > 0) throw refused("There are files in its place.")
  return directory
}

function refused(why: string): DocketError {
  return new DocketError("repository_refused", why)
}

function sentenceOf(error: unknown, within: AbortSignal): string {
  if (within.aborted) return `It was not there within ${longestMs / 60_000} minutes.`
  const text = error instanceof Error ? error.message : String(error)
  return isDocketError(error) ? text : (text.split("\n")[0] ?? "").slice(0, 300)
}
