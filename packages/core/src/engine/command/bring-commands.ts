import { realpath } from "node:fs/promises"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import type { BringFiles, BroughtFile } from "../../setup/config/brought-file.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import {
  type DefiningUser,
  type DefinitionPlace,
  projectDefinitionPlaces,
  userDefinitionPlaces,
} from "../../setup/config/definition-places.ts"
import { readDefinitions } from "../../setup/config/find-definitions.ts"
import { templateNotes } from "../../setup/config/template-notes.ts"

type CommandFile = BroughtFile & { kind: "command" }
interface CommandFiles {
  /** Lowest priority first. */
  files: CommandFile[]
  problems: ConfigProblem[]
}

/** The user's own command files. */
export function ownCommandFiles(user: DefiningUser): Promise<CommandFiles> {
  return readCommands(userDefinitionPlaces("command", user), null)
}

/** The command files of a project, from its top down to the directory. */
export function createBringCommands({ env }: Pick<DefiningUser, "env">): BringFiles {
  return async ({ directory, worktree, home }) => {
    const levels = directoriesBetween(worktree, directory)
    const places = levels.flatMap((level) => projectDefinitionPlaces("command", level, { env, home }))
    return readCommands(places, await realpath(worktree).catch(() => worktree))
  }
}

async function readCommands(places: readonly DefinitionPlace[], within: string | null): Promise<CommandFiles> {
  const found: CommandFiles = { files: [], problems: [] }
  for (const one of await readDefinitions(places, within)) {
    const { file } = one
    if ("text" in one) {
      const { name, text } = one
      found.files.push({ kind: "command", name, file, text, notes: templateNotes(text) })
    } else {
      const message = `${one.reason}. It is left out until this is mended.`
      found.problems.push({ file, line: null, column: null, message })
    }
  }
  return found
}
