import { readdir } from "node:fs/promises"
import path from "node:path"
import type { Glance } from "../../ground/file/glance.ts"
import { unreadableReason } from "../../ground/file/read-bounded-file.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import type { DefiningUser } from "../../setup/config/definitions.ts"
import type { FindProvidedFiles, ProvidedFile } from "../../setup/config/provided-file.ts"
import type { SeenProject } from "../../setup/config/seen-project.ts"
import { glanceAtUser } from "../../setup/config/user-directory.ts"
import { modulePlaces } from "../module-file/module-places.ts"
import { createReadingBudget, filesLoadedBy, type ReadingBudget, readModuleText } from "../module-file/read-module.ts"
import { mayReplace, nameProblem } from "../module-file/tool-name.ts"

/** Most files in a directory of tools. */
const mostFiles = 100
const endings = /\.(?:ts|js)$/

interface FoundToolFiles {
  /** Lowest priority first. */
  files: ProvidedFile[]
  problems: ConfigProblem[]
}

/** Finds files that define tools: those of a project, which wait for trust, and the user's own. */
export interface ToolFiles {
  findProvided: FindProvidedFiles
  own(): Promise<FoundToolFiles>
  /** The names of all these files, read or not, that a tool of its own may have. */
  names(project: SeenProject | null, userGlance: Glance): Promise<string[]>
}

export function createToolFiles(user: DefiningUser): ToolFiles {
  const where = modulePlaces(user, ["tool", "tools"])
  return {
    own: async () => filesIn(await where.own(glanceAtUser(user)), null),
    findProvided: async (project) => filesIn(await where.ofProject(project), project.top),
    async names(project, userGlance) {
      const places = project === null ? [] : await where.ofProject(project)
      const found = await Promise.all([...(await where.own(userGlance)), ...places].map(namesIn))
      return found
        .flat()
        .map(toolNameOf)
        .filter((name) => nameProblem(name) === null)
    },
  }
}

/** The names of the files in a place that define tools, sorted, as many as are read. */
async function namesIn(place: string): Promise<string[]> {
  const names = (await readdir(place).catch(() => [])).filter((name) => endings.test(name) && !name.endsWith(".d.ts"))
  return names.sort().slice(0, mostFiles)
}

function toolNameOf(file: string): string {
  return path.basename(file).replace(endings, "")
}

async function filesIn(places: readonly string[], within: string | null): Promise<FoundToolFiles> {
  const found: FoundToolFiles = { files: [], problems: [] }
  const budget = createReadingBudget()
  for (const place of places) {
    for (const name of await namesIn(place)) {
      const file = path.join(place, name)
      const read = await readToolFile(file, within, budget)
      if ("message" in read) found.problems.push({ file, line: null, column: null, message: read.message })
      else found.files.push(read)
    }
  }
  return found
}

async function readToolFile(
  file: string,
  within: string | null,
  budget: ReadingBudget,
): Promise<ProvidedFile | { message: string }> {
  const name = toolNameOf(file)
  const unfit = mayReplace(name) ? null : nameProblem(name)
  if (unfit !== null) return { message: `The tool "${name}" is left out: ${unfit}` }
  try {
    const { text, real } = await readModuleText(file, within, budget)
    const beside = within === null ? [] : await filesLoadedBy({ real, text }, within, budget)
    const notes = ["Runs as a program when an agent calls it, and to find out what it offers."]
    return { kind: "tool", name, file, text, pieces: [{ real, text }], beside, notes }
  } catch (error) {
    return { message: `The tool "${name}" is left out: the file ${unreadableReason(error)}.` }
  }
}
