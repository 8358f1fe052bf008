import { realpath } from "node:fs/promises"
import { resolve } from "node:path"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { createGlance, type Glance } from "../../ground/file/glance.ts"

/** A project's directories as they are at one moment, for all who search them for files. */
export interface SeenProject {
  /** The project's top directory as it is named. */
  worktree: string
  /** Its real path. */
  top: string
  /** Real paths of the directories from the top down to the current one. */
  levels: string[]
  /** The same by the paths that are named. */
  namedLevels: string[]
  glance: Glance
}

/** @param project its top directory, and the one in which the session works */
export async function seeProject({
  worktree,
  directory,
}: {
  worktree: string
  directory: string
}): Promise<SeenProject> {
  const [top, at] = await Promise.all([realOf(worktree), directory === worktree ? null : realOf(directory)])
  const levels = directoriesBetween(top, at ?? top)
  const namedLevels = directoriesBetween(resolve(worktree), resolve(directory))
  return { worktree, top, levels, namedLevels, glance: createGlance([...levels, ...namedLevels]) }
}

function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
