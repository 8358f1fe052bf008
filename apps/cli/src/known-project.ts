import { realpath } from "node:fs/promises"
import path from "node:path"
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

/** The same, or nothing where none is open, after it was said that only what is the user's own is shown. */
export async function openedProjectOrNone(
  service: Service,
  named: string | undefined,
): Promise<{ projectID?: Project["id"] }> {
  const { directory, project } = await knownProject(service, named)
  if (project !== null) return { projectID: project.id }
  const note = `${visibleText(directory)} is no project of the service, so only what is your own counts here`
  process.stderr.write(`${note}: ${howToOpen(directory)}\n`)
  return {}
}

function howToOpen(directory: string): string {
  return `name one with --project, or open this one on the desk or with docket trust ${shellWord(directory)}`
}
