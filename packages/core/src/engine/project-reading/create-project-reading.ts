import { readdir, realpath } from "node:fs/promises"
import { join, resolve } from "node:path"
import { openChecked } from "../../acts/tool/checked-file.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { errorText } from "../../ground/error/error-text.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { posixRelative } from "../../ground/file/posix-relative.ts"
import { readUpTo } from "../../ground/file/read-bounded-file.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import { type Environment, GitError, runGit } from "../../ground/git/run-git.ts"
import { knownType } from "../../ground/media/media-type.ts"
import type { Project } from "../../ground/schema/index.ts"
import { isOpenToAll, type RulesForAll } from "../../setup/agent/rules-for-all.ts"
import { findMatches } from "./find-matches.ts"
import type { ProjectEntry, ProjectReading } from "./project-reading.ts"

/** Most entries of a directory. */
const maxEntries = 2_000
/** Most bytes of a file. */
const maxBytes = 1_048_576

export interface ProjectReadingDeps {
  /** The directory of the service's own data, which may lie in a project. */
  own: string
  ripgrep: string
  env: Environment
  projectByID(id: string): Promise<Project>
  rulesOf(project: Project): Promise<RulesForAll>
}

export function createProjectReading(deps: ProjectReadingDeps): ProjectReading {
  return {
    async entries(projectID, directory) {
      const project = await deps.projectByID(projectID)
      const place = await placeIn(deps, project, directory)
      const found = await readdir(place.real, { withFileTypes: true }).catch((cause: unknown) => {
        throw new DocketError("invalid_input", `${directory} is not a directory that can be read.`, { cause })
      })
      const own = await realpathOfDeepest(deps.own)
      const isShown = (name: string) => !isClosed({ top: place.top, own }, join(place.real, name))
      const kept = found.filter(({ name }) => isShown(name)).slice(0, maxEntries)
      const ignored = await ignoredAmong(
        deps.env,
        project,
        kept.map(({ name }) => posixRelative(place.top, join(place.real, name))),
      )
      const entries = kept.map((entry): ProjectEntry => {
        const type = entry.isDirectory() ? "directory" : "file"
        const isIgnored = ignored.has(posixRelative(place.top, join(place.real, entry.name)))
        return { name: entry.name, path: join(place.path, entry.name), type, ignored: isIgnored }
      })
      return entries.sort((a, b) => a.type.localeCompare(b.type) || a.name.localeCompare(b.name))
    },
    async content(projectID, file) {
      const project = await deps.projectByID(projectID)
      const { top, real } = await placeIn(deps, project, file)
      if (!isOpenToAll(posixRelative(top, real), await deps.rulesOf(project)))
        throw new DocketError(
          "forbidden",
          `The rules of the project do not let ${file} be read unasked. Ask an agent for it.`,
        )
      const bytes = await contentOf(real, file)
      const isText = !bytes.includes(0)
      return {
        encoding: isText ? "utf8" : "base64",
        content: bytes.toString(isText ? "utf8" : "base64"),
        mime: knownType(bytes),
      }
    },
    async matches(projectID, pattern, signal) {
      const project = await deps.projectByID(projectID)
      const { top, real } = await placeIn(deps, project, ".")
      const rules = await deps.rulesOf(project)
      const own = await realpathOfDeepest(deps.own)
      const isOpen = (path: string) => {
        const found = join(real, path)
        return !isClosed({ top, own }, found) && isOpenToAll(posixRelative(top, found), rules)
      }
      return findMatches(deps, { directory: real, pattern, signal, isOpen })
    },
  }
}

interface Place {
  /** The project's worktree; real. */
  top: string
  real: string
  /** Relative to the project's directory. */
  path: string
}

/** @throws invalid_input for what is missing; forbidden outside the project */
async function placeIn({ own }: Pick<ProjectReadingDeps, "own">, project: Project, named: string): Promise<Place> {
  const [top, base] = [await realpath(project.worktree), await realpath(project.directory)]
  const real = await realpath(resolve(base, named)).catch((cause: unknown) => {
    throw new DocketError("invalid_input", `There is no ${named} in the project.`, { cause })
  })
  if (!isWithin(top, real) || isClosed({ top, own: await realpathOfDeepest(own) }, real))
    throw new DocketError("forbidden", `${named} does not belong to the files of the project ${project.directory}.`)
  return { top, real, path: posixRelative(base, real) }
}

/** What belongs to git or to Docket, whatever the rules say. All paths are real. */
function isClosed({ top, own }: { top: string; own: string }, real: string): boolean {
  if (posixRelative(top, real).split("/").includes(".git")) return true
  return isWithin(top, own) && isWithin(own, real)
}

/** @throws invalid_input for what is no regular file, or too large */
async function contentOf(real: string, named: string): Promise<Buffer> {
  try {
    await using handle = await openChecked(real)
    const bytes = await readUpTo(handle, maxBytes + 1)
    if (bytes.length <= maxBytes) return bytes
  } catch (cause) {
    throw new DocketError("invalid_input", `${named} cannot be read: ${errorText(cause)}`, { cause })
  }
  throw new DocketError("invalid_input", `${named} is larger than 1 MB. Ask an agent to read the part that you need.`)
}

/** Those of the names (relative to the worktree) that git ignores. Without git: none. */
async function ignoredAmong(env: Environment, project: Project, names: readonly string[]): Promise<Set<string>> {
  if (!project.git || names.length === 0) return new Set()
  const asked = {
    ...{ cwd: project.worktree, env, input: names.join("\0"), answers: [1], timeout: gitTimeout },
    variables: { GIT_WORK_TREE: project.worktree },
  }
  const listed = await runGit(["check-ignore", "-z", "--stdin"], asked).catch((error: unknown) => {
    if (error instanceof GitError) return Buffer.alloc(0)
    throw error
  })
  return new Set(listed.toString("utf8").split("\0"))
}

/** ms */
const gitTimeout = 10_000
