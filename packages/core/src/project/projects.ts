import { readdir, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { DocketError } from "../error/docket-error.ts"
import { findTopLevel } from "../git/find-top-level.ts"
import type { Environment } from "../git/run-git.ts"
import type { CreateId } from "../id/create-id.ts"
import type { Project } from "../schema/index.ts"
import type { ProjectStore } from "../store/index.ts"

/** The picker shows this many directories of a level. */
const maxDirectories = 500

export interface DirectoryListing {
  path: string
  parent: string | null
  entries: { name: string; git: boolean }[]
}

export interface Projects {
  /** @throws project_directory_missing */
  open(directory: string): Promise<Project>
  list(): Promise<Project[]>
  /** @throws project_not_found */
  get(id: string): Promise<Project>
  directories(path: string): Promise<DirectoryListing>
}

export interface ProjectsDeps {
  store: ProjectStore
  createID: CreateId
  clock: () => number
  env: Environment
}

export function createProjects(deps: ProjectsDeps): Projects {
  let opening: Promise<unknown> = Promise.resolve()
  return {
    open(directory) {
      // One after another: two tabs that open the same new directory get the same project.
      const opened = opening.then(() => openProject(deps, directory))
      opening = opened.catch(() => {})
      return opened
    },
    list: () => deps.store.list(),
    async get(id) {
      const project = await deps.store.get(id)
      if (project === null)
        throw new DocketError("project_not_found", `There is no project ${id}. Open its directory first.`)
      return project
    },
    async directories(path) {
      const full = await existingDirectory(path)
      const entries = await readdir(full, { withFileTypes: true }).catch((cause) => {
        throw new DocketError("project_directory_missing", `The directory ${full} cannot be read.`, { cause })
      })
      const visible = entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
        .slice(0, maxDirectories)
      const listed = await Promise.all(
        visible.map(async ({ name }) => ({ name, git: await exists(join(full, name, ".git")) })),
      )
      listed.sort((a, b) => a.name.localeCompare(b.name))
      return { path: full, parent: dirname(full) === full ? null : dirname(full), entries: listed }
    },
  }
}

async function openProject(deps: ProjectsDeps, directory: string): Promise<Project> {
  const path = await existingDirectory(directory)
  const now = deps.clock()
  const known = await deps.store.byDirectory(path)
  const worktree = await findTopLevel(path, deps.env)
  const project: Project = {
    id: known?.id ?? deps.createID("project"),
    name: basename(path) || path,
    directory: path,
    worktree: worktree ?? path,
    git: worktree !== null,
    time: { created: known?.time.created ?? now, opened: now },
  }
  await deps.store.put(project)
  return project
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
