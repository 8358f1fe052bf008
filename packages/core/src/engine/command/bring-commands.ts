import { realpath } from "node:fs/promises"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFile, UnfitFileError, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import type { BringFiles, BroughtFile } from "../../setup/config/brought-file.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import {
  type DefinitionPlace,
  projectDefinitionPlaces,
  userDefinitionDirectories,
  userDefinitionPlaces,
} from "../../setup/config/definition-places.ts"
import { findDefinitions } from "../../setup/config/find-definitions.ts"
import { templateNotes } from "../../setup/config/template-notes.ts"

/** Most bytes of a command's file. */
const sizeLimit = 131_072

type CommandFile = BroughtFile & { kind: "command" }
interface CommandFiles {
  /** Lowest priority first. */
  files: CommandFile[]
  problems: ConfigProblem[]
}

/** The user's own command files. */
export function ownCommandFiles(user: {
  env: Record<string, string | undefined>
  home: string
}): Promise<CommandFiles> {
  return readCommands(userDefinitionPlaces("command", user), null)
}

/** The command files of a project, from its top down to the directory; what lies in a place of the user's own is not its. */
export function createBringCommands({ env }: { env: Record<string, string | undefined> }): BringFiles {
  return ({ directory, worktree, home }) => {
    const own = new Set(userDefinitionDirectories({ env, home }))
    const places = directoriesBetween(worktree, directory).flatMap((level) => projectDefinitionPlaces("command", level))
    return readCommands(
      places.filter((place) => !own.has(place.directory)),
      worktree,
    )
  }
}

async function readCommands(places: readonly DefinitionPlace[], within: string | null): Promise<CommandFiles> {
  const found: CommandFiles = { files: [], problems: [] }
  const report = (file: string, reason: string) => {
    found.problems.push({ file, line: null, column: null, message: `${reason}. It is left out until this is mended.` })
  }
  for (const place of places) {
    const { files, problem } = await findDefinitions(place)
    if (problem !== null) report(place.directory, problem)
    for (const { name, file } of files) {
      try {
        const text = await readCommand(file, within)
        found.files.push({ kind: "command", name, file, text, notes: templateNotes(text) })
      } catch (error) {
        report(file, unreadableReason(error))
      }
    }
  }
  return found
}

async function readCommand(file: string, within: string | null): Promise<string> {
  if (within !== null && !isWithin(await realpath(within), await realpath(file))) {
    throw new UnfitFileError("is a link that leads out of the project")
  }
  const bytes = await readBoundedFile(file, sizeLimit)
  return bytes.toString("utf8").replace(/^\uFEFF/, "")
}
