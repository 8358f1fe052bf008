import { readdir } from "node:fs/promises"
import path from "node:path"
import { unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { escapedName, isPlainName, plainNameRule } from "../../ground/schema/plain-name.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import type { DefiningUser } from "../../setup/config/definitions.ts"
import type { FindProvidedFiles, ProvidedFile } from "../../setup/config/provided-file.ts"
import { glanceAtUser } from "../../setup/config/user-directory.ts"
import { modulePlaces } from "./module-places.ts"
import { createReadingBudget, filesLoadedBy, type ReadingBudget, readModuleText } from "./read-module.ts"

/** Most files in a directory of plugins. */
const mostFiles = 100
const endings = /\.(?:ts|js|mjs)$/

/** What is said of a plugin before it is trusted. */
export const pluginNote = "Runs as a program beside every turn, and sees and changes what is sent to models and tools."

interface FoundPluginFiles {
  /** In the order in which they are loaded. */
  files: ProvidedFile[]
  problems: ConfigProblem[]
}

/** Finds files that are plugins: those of a project, which wait for trust, and the user's own. */
export interface PluginFiles {
  findProvided: FindProvidedFiles
  own(): Promise<FoundPluginFiles>
}

export function createPluginFiles(user: DefiningUser): PluginFiles {
  const where = modulePlaces(user, ["plugin", "plugins"])
  return {
    own: async () => filesIn(await where.own(glanceAtUser(user)), null),
    findProvided: async (project) => filesIn(await where.ofProject(project), project.top),
  }
}

async function filesIn(places: readonly string[], within: string | null): Promise<FoundPluginFiles> {
  const found: FoundPluginFiles = { files: [], problems: [] }
  const budget = createReadingBudget()
  for (const place of places) {
    const names = (await readdir(place).catch(() => [])).filter((name) => endings.test(name) && !name.endsWith(".d.ts"))
    for (const name of names.sort().slice(0, mostFiles)) {
      const file = path.join(place, name)
      if (!isPlainName(name)) {
        const message = `The plugin "${escapedName(name)}" is left out: ${plainNameRule}. Rename the file.`
        found.problems.push({ file, line: null, column: null, message })
        continue
      }
      try {
        found.files.push(await readPluginFile(file, within, budget))
      } catch (error) {
        const message = `The plugin "${name}" is left out: the file ${unreadableReason(error)}.`
        found.problems.push({ file, line: null, column: null, message })
      }
    }
  }
  return found
}

/** A file that is a plugin, with the files that it loads. @throws Error when it cannot be read */
export async function readPluginFile(
  file: string,
  within: string | null,
  budget: ReadingBudget = createReadingBudget(),
): Promise<ProvidedFile> {
  const { text, real } = await readModuleText(file, within, budget)
  const beside = within === null ? [] : await filesLoadedBy({ real, text }, within, budget)
  const name = path.basename(file)
  return { kind: "plugin", name, file, text, pieces: [{ real, text }], beside, notes: [pluginNote] }
}
