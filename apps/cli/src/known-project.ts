import { realpath } from "node:fs/promises"
import path from "node:path"
import { problemLine } from "@docket/core/config"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import type { Connected } from "./connect/connect.ts"
import { projectDirectory } from "./connect/project-directory.ts"
import { shellWord } from "./shell-word.ts"
import { UsageError } from "./usage-error.ts"

type Service = Pick<Connected, "client" | "isRemote">

/**
 * The project that a command looks at: the one of a directory, or of the nearest directory above it. Null where the
 * service has none open there: looking never opens one.
 */
async function knownProject(service: Service, named: string | undefined) {
  const given = await projectDirectory(service, named)
  const directory = service.isRemote ? given : await realpath(given).catch(() => given)
  const projects = await service.client.project.list.query()
  for (let at = directory; ; at = path.dirname(at)) {
    const found = projects.find((project) => project.directory === at)
    if (found !== undefined) return { directory, project: found }
    if (path.dirname(at) === at) return { directory, project: null }
  }
}

/** The id of the project that a command looks at. @throws UsageError where none is open */
export async function openedProject(service: Service, named: string | undefined): Promise<Project["id"]> {
  const { directory, project } = await knownProject(service, named)
  if (project !== null) return project.id
  throw new UsageError(`${visibleText(directory)} is no project of the service: ${howToOpen(directory)}`)
}

/** Where a command looks: at a project, or outside of all of them at what is the user's own. */
export interface LookedAt {
  /** What requests name. */
  place: { projectID?: Project["id"] }
  /** The directory of the project; null outside of all. */
  project: string | null
}

/** The project that a command looks at, or none, after it was said that only what is the user's own is shown. */
export async function lookAt(service: Service, named: string | undefined): Promise<LookedAt> {
  const { directory, project } = await knownProject(service, named)
  if (project !== null) return { place: { projectID: project.id }, project: project.directory }
  const note = `${visibleText(directory)} is no project of the service, so only what is your own counts here`
  process.stderr.write(`${note}: ${howToOpen(directory)}\n`)
  return { place: {}, project: null }
}

/** The same for extensions: what is wrong with the files that name them is said first. */
export async function lookAtExtensions(service: Service, named: string | undefined): Promise<LookedAt> {
  const looked = await lookAt(service, named)
  // What waits for trust is in the list itself.
  const { problems } = await service.client.config.get.query(looked.place)
  for (const problem of problems) if (!problem.waits) process.stderr.write(`! ${problemLine(problem)}\n`)
  return looked
}

function howToOpen(directory: string): string {
  return `name one with --project, or open this one on the desk or with docket trust ${shellWord(directory)}`
}
