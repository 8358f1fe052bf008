import { lstat, readdir } from "node:fs/promises"
import path from "node:path"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { posixRelative } from "../../ground/file/posix-relative.ts"
import { realpathOfDeepest, realpathsOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import { configNames, namesConfig } from "../../ground/rule/config-files.ts"
import type { OwnDirectory, ToolContext } from "./tool.ts"
import { worktreeRoots } from "./worktree-path.ts"

/** A file that is about to change. */
export interface ChangedPath {
  /** Absolute path, before links are resolved. */
  named: string
  /** The path with every link resolved. */
  real: string
}

type Place = Pick<ToolContext, "worktree" | "directory" | "ownDirectories" | "ownPlan">

/** Most entries of one configuration directory that are checked for links. */
const maxEntries = 500

/** Knows which files need special care; reads the links of the configuration once. */
export interface FileGuard {
  /**
   * The patterns that a change of a file asks `edit` for: its name, and the names under which Docket reads it as
   * configuration, when the file was named through a link or a configuration link leads to it.
   */
  editPatterns(changed: ChangedPath): string[]
  /**
   * Whether a resolved path belongs to Docket's own data or the user's own configuration, which no tool may change.
   * Files inside the current project always belong to the project, and the session may change its own plan.
   */
  isOwn(real: string): boolean
}

/** @param roots those of the place, when they are asked for already */
export async function createFileGuard(place: Place, roots = worktreeRoots(place)): Promise<FileGuard> {
  const plan = place.ownPlan?.mayEdit ? place.ownPlan.file : null
  const [{ worktree }, links, own] = await Promise.all([
    roots,
    roots.then(({ worktree, directory }) => configLinks(worktree, directory)),
    resolveOwn(place.ownDirectories),
  ])
  const nameOf = (file: string) => (isWithin(worktree, file) ? posixRelative(worktree, file) || "." : file)
  return {
    editPatterns({ named, real }) {
      const name = posixRelative(place.worktree, named)
      const read = links.filter((link) => isWithin(link.real, real)).map((link) => nameOf(link.file))
      return [...new Set([nameOf(real), ...(namesConfig(name) ? [name] : []), ...read])]
    },
    isOwn: (real) =>
      real !== plan &&
      own.some(({ directory, except }) => {
        if (!isWithin(directory, real)) return false
        const ofProject = isWithin(directory, worktree) && isWithin(worktree, real)
        return !ofProject && (except === null || !isWithin(except, real))
      }),
  }
}

/** What "always" may cover: every file, or for configuration only the requested files. */
export function alwaysOfEdit(patterns: string[]): string[] {
  if (!patterns.some(namesConfig)) return ["*"]
  return patterns.every((pattern) => !/[*?]/.test(pattern)) ? patterns : []
}

/** The error when a tool refuses to change such a file. */
export function ownFileError(name: string): Error {
  return new Error(
    `${name} belongs to Docket's own data or to the user's own configuration. Agents do not change it; tell the user what you need.`,
  )
}

async function resolveOwn(own: readonly OwnDirectory[]): Promise<{ directory: string; except: string | null }[]> {
  const excepted = own.flatMap(({ except }) => except ?? [])
  const real = await realpathsOfDeepest([...own.map(({ path }) => path), ...excepted])
  const realByExcepted = new Map(excepted.map((path, index) => [path, real[own.length + index] ?? path]))
  return own.map(({ path, except }, index) => ({
    directory: real[index] ?? path,
    except: except === undefined ? null : (realByExcepted.get(except) ?? except),
  }))
}

/** Links of the configuration between the worktree and the directory (both real), with their targets. */
async function configLinks(worktree: string, directory: string): Promise<{ file: string; real: string }[]> {
  const found = await Promise.all(
    directoriesBetween(worktree, directory).flatMap((place) =>
      configNames.map((name) => linksIn(path.join(place, name))),
    ),
  )
  const resolved = await Promise.all(
    found.flat().map(async (file) => ({ file, real: await realpathOfDeepest(file).catch(() => file) })),
  )
  return resolved.filter(({ file, real }) => file !== real)
}

/** The file or directory itself if it is a link, and the links in it. */
async function linksIn(file: string): Promise<string[]> {
  const facts = await lstat(file).catch(() => null)
  const isLink = facts?.isSymbolicLink() ?? false
  if (!isLink && !facts?.isDirectory()) return []
  const entries = await readdir(file, { recursive: true, withFileTypes: true }).catch(() => [])
  const linked = entries.slice(0, maxEntries).filter((entry) => entry.isSymbolicLink())
  return [...(isLink ? [file] : []), ...linked.map((entry) => path.join(entry.parentPath, entry.name))]
}
