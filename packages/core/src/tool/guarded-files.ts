import { readdir } from "node:fs/promises"
import path from "node:path"
import { directoriesBetween } from "../config/load-config.ts"
import { namesConfig } from "../permission/config-files.ts"
import type { ToolContext } from "./tool.ts"
import { isWithin, realpathOfDeepest, worktreeRoots } from "./worktree-path.ts"

/** A file that is about to change. */
export interface ChangedPath {
  /** Absolute, as it was named. */
  named: string
  /** With every link resolved. */
  real: string
}

type Place = Pick<ToolContext, "worktree" | "directory" | "ownDirectories">

/** Links looked for in `.docket`. */
const maxEntries = 500

/**
 * The patterns that a change of a file asks `edit` for: its name, and the names by which Docket reads it as
 * configuration, when it was named by a link or when a link of the configuration leads to it.
 */
export async function editPatterns(place: Place, changed: ChangedPath): Promise<string[]> {
  const { worktree, directory } = await worktreeRoots(place)
  const nameOf = (file: string) => (isWithin(worktree, file) ? toPosix(path.relative(worktree, file)) || "." : file)
  const patterns = new Set([nameOf(changed.real)])
  const named = toPosix(path.relative(place.worktree, changed.named))
  if (namesConfig(named)) patterns.add(named)
  for (const link of await configLinks(worktree, directory)) {
    const real = await realpathOfDeepest(link)
    if (real !== link && isWithin(real, changed.real)) patterns.add(nameOf(link))
  }
  return [...patterns]
}

/** What "always" may cover: every file, or for configuration only what was asked for. */
export function alwaysOfEdit(patterns: string[]): string[] {
  if (!patterns.some(namesConfig)) return ["*"]
  return patterns.every((pattern) => !/[*?]/.test(pattern)) ? patterns : []
}

/**
 * Whether a resolved path is in Docket's own data or the user's own configuration, which no tool changes. What lies in
 * the project that is worked on is the project's, wherever that is.
 */
export async function isOwnFile(place: Place, real: string): Promise<boolean> {
  const worktree = await realpathOfDeepest(place.worktree)
  for (const own of place.ownDirectories) {
    const directory = await realpathOfDeepest(own.path)
    if (!isWithin(directory, real)) continue
    if (isWithin(directory, worktree) && isWithin(worktree, real)) continue
    if (own.except !== undefined && isWithin(await realpathOfDeepest(own.except), real)) continue
    return true
  }
  return false
}

/** Why a tool leaves such a file alone. */
export function ownFileError(name: string): Error {
  return new Error(
    `${name} belongs to Docket's own data or to the user's own configuration. Agents do not change it; tell the user what you need.`,
  )
}

/** Configuration between the worktree and the directory that is, or may be, a link. */
async function configLinks(worktree: string, directory: string): Promise<string[]> {
  const links: string[] = []
  for (const place of directoriesBetween(worktree, directory)) {
    links.push(...["docket.json", "docket.jsonc", ".docket"].map((name) => path.join(place, name)))
    const entries = await readdir(path.join(place, ".docket"), { recursive: true, withFileTypes: true }).catch(() => [])
    const linked = entries.slice(0, maxEntries).filter((entry) => entry.isSymbolicLink())
    links.push(...linked.map((entry) => path.join(entry.parentPath, entry.name)))
  }
  return links
}

function toPosix(relative: string): string {
  return path.sep === "/" ? relative : relative.split(path.sep).join("/")
}
