import { existsSync } from "node:fs"
import { realpath, rm } from "node:fs/promises"
import { join } from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import { projectGit } from "../../ground/git/project-git.ts"
import type { Environment } from "../../ground/git/run-git.ts"
import type { Project } from "../../ground/schema/index.ts"
import { makeCheckout } from "./make-checkout.ts"
import type { Mirrors, RepositoryProject } from "./mirrors.ts"

/**
 * The files of a repository's branch, one checkout for each project. What a project configures is read here, and people
 * look at files here before a session has its own.
 */
export interface ProjectCheckouts {
  /** The project with the directories that it has on this host; any other project as it is. Its files may be missing. */
  placed(project: Project): Project
  /** The same, once its files are there. @throws repository_refused, repository_unavailable, credential_refused */
  ready(project: Project): Promise<Project>
  /** Fetches the branch and brings the checkout to it. @returns its commit @throws as `ready` */
  refresh(project: RepositoryProject, signal: AbortSignal): Promise<string>
  remove(projectID: string): Promise<void>
}

export function createProjectCheckouts({
  root,
  env,
  mirrors,
}: {
  /** Absolute directory for checkouts. */
  root: string
  env: Environment
  mirrors: Mirrors
}): ProjectCheckouts {
  const making = new Map<string, Promise<void>>()
  const directoryOf = (projectID: string) => join(root, projectID)
  const placed = (project: Project): Project => {
    if (project.repository === undefined) return project
    const worktree = directoryOf(project.id)
    return { ...project, worktree, directory: join(worktree, project.repository.subdirectory ?? "") }
  }
  /** Brings the checkout to the commit; makes it where there is none. */
  const bring = async ({ id, repository }: RepositoryProject, commit: string) => {
    const directory = directoryOf(id)
    if (existsSync(directory)) {
      const place = { directory, env }
      const head = (await projectGit(place, ["rev-parse", "HEAD"])).toString("utf8").trim()
      if (head !== commit) await projectGit(place, ["reset", "--quiet", "--hard", commit])
      return
    }
    const { url, ref } = repository
    const objects = join(await realpath(mirrors.directoryOf(id)), "objects")
    await makeCheckout(directory, { env, objects, url, ref, commit }, { branch: ref, head: commit })
  }
  /** One after the other for each project, so that two who come first make it once. */
  const alone = (projectID: string, work: () => Promise<void>) => {
    const done = (making.get(projectID) ?? Promise.resolve()).catch(() => {}).then(work)
    making.set(projectID, done)
    return done
  }
  const refresh: ProjectCheckouts["refresh"] = async (project, signal) => {
    await mirrors.fetch(project, signal)
    const commit = await fetchedCommit(mirrors, project)
    await alone(project.id, () => bring(project, commit))
    return commit
  }
  return {
    placed,
    async ready(project) {
      const { repository } = project
      if (repository === undefined) return project
      if (!existsSync(directoryOf(project.id)))
        await refresh({ id: project.id, repository }, new AbortController().signal)
      const ready = placed(project)
      if (existsSync(ready.directory)) return ready
      throw new DocketError(
        "project_directory_missing",
        `The repository ${repository.url} has no directory ${repository.subdirectory} on the branch ${repository.ref}.`,
      )
    },
    refresh,
    remove: (projectID) => rm(directoryOf(projectID), { recursive: true, force: true }),
  }
}

async function fetchedCommit(mirrors: Mirrors, { id, repository }: RepositoryProject): Promise<string> {
  const commit = await mirrors.commitOf(id, repository.ref)
  if (commit !== null) return commit
  throw new DocketError(
    "repository_unavailable",
    `The repository ${repository.url} has no branch ${repository.ref} any more. Add the project with another branch.`,
  )
}
