import { readdir, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import {
  allowedPath,
  anywhere,
  type DirectoryLimits,
  mayList,
  mayOpen,
  notAllowed,
} from "../../ground/file/directory-limits.ts"
import { findTopLevel } from "../../ground/git/find-top-level.ts"
import { repositoryName } from "../../ground/git/repository-name.ts"
import type { Environment } from "../../ground/git/run-git.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { Place, Project, Repository } from "../../ground/schema/index.ts"
import type { ProjectStore } from "../../ground/store/index.ts"
import type { RepositoryInput } from "../repository/find-repository.ts"
import type { ProjectCheckouts } from "../repository/project-checkouts.ts"
import type { PromptSuggestion } from "./suggest-prompts.ts"

/** Most directories of a level in the picker. */
const maxDirectories = 500

export interface DirectoryListing {
  path: string
  parent: string | null
  entries: { name: string; git: boolean }[]
}

export interface Projects {
  /** @throws project_directory_missing, directory_not_allowed */
  open(directory: string): Promise<Project>
  /** The project of a repository. @throws as `findRepository` */
  add(input: RepositoryInput, signal: AbortSignal): Promise<Project>
  /** With the directories of this host. */
  list(): Promise<Project[]>
  /** As their rows have them, wherever their files are. */
  rows(): Promise<Project[]>
  /**
   * Checks the project's directory each time, and fetches what this host lacks of a repository.
   * @throws project_not_found, directory_not_allowed; as `ProjectCheckouts.ready`
   */
  get(id: string): Promise<Project>
  /** As its row has it, checked as `get` does. @throws project_not_found, directory_not_allowed */
  row(id: string): Promise<Project>
  /**
   * Sub-directories of an absolute path, for the project picker; without a path, those of the home directory or of the
   * first directory that the workspace may open. @throws project_directory_missing, directory_not_allowed
   */
  directories(path?: string): Promise<DirectoryListing>
}

/** The same for people, with what they ask of one project. */
export interface ProjectService extends Omit<Projects, "row" | "rows"> {
  /** Files of the project that match `query`, best first, relative to its directory. For @file completion. */
  files(id: string, query: string, limit: number): Promise<string[]>
  /** A few suggested prompts for this project. @throws project_directory_missing */
  suggestions(id: string): Promise<PromptSuggestion[]>
  /** The branch that is checked out; null when there is none. */
  branch(id: string): Promise<string | null>
}

interface ProjectsDeps {
  store: ProjectStore
  createID: CreateId
  clock: () => number
  env: Environment
  /** The user's home directory. */
  home: string
  /** The directories where projects may be at present. */
  limits(): DirectoryLimits
  /** Where the directories are that are opened here; left out for the only process of a service. */
  place?: Place | undefined
  /** Whether there are several nodes, any of which may have the files of a repository. */
  isNode?: boolean
  /** Without it, there are no projects of repositories. */
  repositories?: {
    checkouts: Pick<ProjectCheckouts, "placed" | "ready">
    find(input: RepositoryInput, signal: AbortSignal): Promise<Repository>
  }
}

export function createProjects(deps: ProjectsDeps): Projects {
  let opening: Promise<unknown> = Promise.resolve()
  // One after another, so that two tabs that open the same new directory get the same project.
  const inTurn = <T>(open: () => Promise<T>): Promise<T> => {
    const opened = opening.then(open)
    opening = opened.catch(() => {})
    return opened
  }
  const row = async (id: string) => {
    const project = await deps.store.get(id)
    if (project === null)
      throw new DocketError("project_not_found", `There is no project ${id}. Open its directory first.`)
    if (project.repository === undefined) await assertInPlace(deps.limits(), project)
    return project
  }
  return {
    open: (directory) => inTurn(() => openProject(deps, directory)),
    async add(input, signal) {
      const repository = await offered(deps).find(input, signal)
      return inTurn(() => addProject(deps, repository))
    },
    list: async () =>
      (await deps.store.list()).map((project) => deps.repositories?.checkouts.placed(project) ?? project),
    rows: deps.store.list,
    row,
    async get(id) {
      const project = await row(id)
      return project.repository === undefined ? project : offered(deps).checkouts.ready(project)
    },
    async directories(path) {
      const limits = deps.limits()
      const full = await directoryWithin(limits, path ?? limits.roots?.[0] ?? deps.home, mayList)
      const entries = await readdir(full, { withFileTypes: true }).catch((cause) => {
        throw new DocketError("project_directory_missing", `The directory ${full} cannot be read.`, { cause })
      })
      const visible = entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
        .filter(({ name }) => mayList(limits, join(full, name)))
        .slice(0, maxDirectories)
      const listed = await Promise.all(
        visible.map(async ({ name }) => ({ name, git: await exists(join(full, name, ".git")) })),
      )
      listed.sort((a, b) => a.name.localeCompare(b.name))
      const parent = dirname(full)
      return { path: full, parent: parent === full || !mayList(limits, parent) ? null : parent, entries: listed }
    },
  }
}

async function openProject(deps: ProjectsDeps, directory: string): Promise<Project> {
  const limits = deps.limits()
  const path = await directoryWithin(limits, directory, mayOpen)
  const now = deps.clock()
  const { place } = deps
  const known = await deps.store.byDirectory(path, place)
  const worktree = await findTopLevel(path, deps.env)
  // Agents work in the whole worktree, so it must be allowed too.
  if (worktree !== null && !mayOpen(limits, worktree)) throw notAllowed(limits, worktree)
  const project: Project = {
    id: known?.id ?? deps.createID("project"),
    name: basename(path) || path,
    directory: path,
    worktree: worktree ?? path,
    git: worktree !== null,
    ...(place !== undefined && { place }),
    time: { created: known?.time.created ?? now, opened: now },
  }
  await deps.store.put(project)
  return project
}

function offered({ repositories }: ProjectsDeps): NonNullable<ProjectsDeps["repositories"]> {
  if (repositories !== undefined) return repositories
  throw new DocketError("repository_unavailable", "Projects of repositories are not offered here. Open a directory.")
}

async function addProject(deps: ProjectsDeps, repository: Repository): Promise<Project> {
  const directory = repositoryName(repository)
  const place: Place | undefined = deps.isNode ? "any" : undefined
  const now = deps.clock()
  const known = await deps.store.byDirectory(directory, place)
  const project: Project = {
    id: known?.id ?? deps.createID("project"),
    name: basename(repository.subdirectory ?? new URL(repository.url).pathname).replace(/\.git$/, "") || repository.url,
    ...{ directory, worktree: directory, git: true, repository },
    ...(place !== undefined && { place }),
    time: { created: known?.time.created ?? now, opened: now },
  }
  await deps.store.put(project)
  return project
}

type Allows = (limits: DirectoryLimits, real: string) => boolean

/** Checks the path before and after it is resolved, because it may have become a link meanwhile. */
async function directoryWithin(limits: DirectoryLimits, named: string, allows: Allows): Promise<string> {
  if (limits === anywhere) return existingDirectory(named)
  const real = await existingDirectory(await allowedPath(limits, named, allows))
  if (!allows(limits, real)) throw notAllowed(limits, named)
  return real
}

/** The project's directory or one above it may have become a link, and its roots may have been removed. */
async function assertInPlace(limits: DirectoryLimits, { directory, worktree }: Project): Promise<void> {
  if (limits === anywhere) return
  const reals = await Promise.all([directory, worktree].map((place) => allowedPath(limits, place)))
  if (reals[0] !== directory || reals[1] !== worktree) throw notAllowed(limits, directory)
}

/** @throws project_directory_missing */
export async function existingDirectory(directory: string): Promise<string> {
  const path = await realpath(resolve(directory)).catch((cause) => {
    throw new DocketError(
      "project_directory_missing",
      `There is no directory ${directory}. Was it moved, or is the path wrong?`,
      { cause },
    )
  })
  if (!(await stat(path)).isDirectory()) {
    throw new DocketError("project_directory_missing", `${directory} is a file, not a directory.`)
  }
  return path
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
