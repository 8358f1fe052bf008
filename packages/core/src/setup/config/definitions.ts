import { realpath } from "node:fs/promises"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import type { BringingProject } from "./brought-file.ts"
import type { ConfigProblem } from "./config-report.ts"
import {
  type DefiningUser,
  type DefinitionKind,
  type DefinitionPlace,
  projectDefinitionPlaces,
  userDefinitionPlaces,
} from "./definition-places.ts"
import { type ReadDefinition, readDefinitions } from "./find-definitions.ts"

/** Definitions with what is wrong with those that are left out. */
interface FoundDefinitions<T> {
  /** Lowest priority first. */
  found: T[]
  problems: ConfigProblem[]
}

/** Definitions of one kind. */
interface Definitions<T> {
  own(): Promise<FoundDefinitions<T>>
  /** From the project's top down to the directory; whether they count is not judged here. */
  ofProject(project: Pick<BringingProject, "directory" | "worktree">): Promise<FoundDefinitions<T>>
}

/** @param read makes something of a file, or says what is wrong with it; null leaves it out */
export function createDefinitions<T>(
  user: DefiningUser,
  kind: DefinitionKind,
  read: (definition: ReadDefinition) => Promise<{ found: T | null; problems: readonly ConfigProblem[] }>,
): Definitions<T> {
  const readPlaces = async (places: readonly DefinitionPlace[], within: string | null) => {
    const all: FoundDefinitions<T> = { found: [], problems: [] }
    for (const one of await readDefinitions(places, within)) {
      if ("text" in one) {
        const { found, problems } = await read(one)
        if (found !== null) all.found.push(found)
        all.problems.push(...problems)
      } else {
        const consequence = one.name === null ? "" : ` The ${kind} is left out until this is mended.`
        all.problems.push({ file: one.file, line: null, column: null, message: `${one.reason}.${consequence}` })
      }
    }
    return all
  }
  return {
    own: () => readPlaces(userDefinitionPlaces(kind, user), null),
    async ofProject({ directory, worktree }) {
      const [top, at] = await Promise.all([worktree, directory].map((path) => realpath(path).catch(() => path)))
      const levels = directoriesBetween(top ?? worktree, at ?? directory)
      const places = levels.flatMap((level) => projectDefinitionPlaces(kind, level, user))
      return readPlaces(places, top ?? worktree)
    },
  }
}
