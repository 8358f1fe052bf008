import { realpath } from "node:fs/promises"
import path from "node:path"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import type { DefiningUser } from "../../setup/config/definitions.ts"
import type { ProvidingProject } from "../../setup/config/provided-file.ts"
import { opencodeUserDirectory, userConfigDirectory } from "../../setup/config/user-directory.ts"

/** Where files that run for Docket lie, by the names of their directories, lowest priority first. */
export interface ModulePlaces {
  /** The user's own. */
  own: string[]
  /** Those of a project, and the real path of its top. */
  ofProject(project: Pick<ProvidingProject, "directory" | "worktree">): Promise<{ top: string; places: string[] }>
}

/** @param names such as `tool` and `tools` */
export function modulePlaces(user: DefiningUser, names: readonly string[]): ModulePlaces {
  const ownTops = [opencodeUserDirectory(user), userConfigDirectory(user)]
  const within = (tops: readonly string[]) => tops.flatMap((top) => names.map((name) => path.join(top, name)))
  return {
    own: within(ownTops),
    async ofProject({ directory, worktree }) {
      const [top = worktree, at = directory] = await Promise.all(
        [worktree, directory].map((place) => realpath(place).catch(() => place)),
      )
      const levels = directoriesBetween(top, at)
      const tops = levels.flatMap((level) => [path.join(level, ".opencode"), path.join(level, ".docket")])
      return { top, places: within(tops.filter((place) => !ownTops.includes(place))) }
    },
  }
}
