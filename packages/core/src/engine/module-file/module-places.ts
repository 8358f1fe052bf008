import path from "node:path"
import type { Glance } from "../../ground/file/glance.ts"
import type { DefiningUser } from "../../setup/config/definitions.ts"
import type { SeenProject } from "../../setup/config/seen-project.ts"
import { opencodeUserDirectory, userConfigDirectory } from "../../setup/config/user-directory.ts"

/** Where files that run for Docket lie, by the names of their directories, lowest priority first. */
export interface ModulePlaces {
  /** The user's own, as far as they may be there. */
  own(glance: Glance): Promise<string[]>
  /** Those of a project, as far as they may be there. */
  ofProject(project: SeenProject): Promise<string[]>
}

/** @param names such as `tool` and `tools` */
export function modulePlaces(user: DefiningUser, names: readonly string[]): ModulePlaces {
  const ownTops = [opencodeUserDirectory(user), userConfigDirectory(user)]
  const within = (tops: readonly string[]) => tops.flatMap((top) => names.map((name) => path.join(top, name)))
  return {
    own: (glance) => glance.present(within(ownTops), itself),
    ofProject({ levels, glance }) {
      const tops = levels.flatMap((level) => [path.join(level, ".opencode"), path.join(level, ".docket")])
      return glance.present(within(tops.filter((place) => !ownTops.includes(place))), itself)
    },
  }
}

const itself = (place: string) => place
