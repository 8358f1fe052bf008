import type { UseCases } from "@docket/core"
import { entryLine, problemLine } from "@docket/core/config"
import type { Project } from "@docket/core/schema"
import type { ServiceOptions } from "./options.ts"

/**
 * Opens the projects of the command line and says what is wrong with their configuration or left out of it. With
 * `trust`, their configuration counts as it is now. @throws project_directory_missing
 */
export async function openProjects(
  runtime: Pick<UseCases, "project" | "config">,
  { projects: directories, trust }: Pick<ServiceOptions, "projects" | "trust">,
  report: (line: string) => void,
): Promise<Project[]> {
  const projects: Project[] = []
  for (const directory of directories) {
    const project = await runtime.project.open(directory)
    projects.push(project)
    if (trust) await trustAsItIs(runtime, project, report)
    const { problems, trust: left } = await runtime.config.get(project.id)
    for (const problem of problems) report(problemLine(problem))
    if (left.state === "untrusted" || left.state === "changed") report(untrustedText(project, left.state))
  }
  return projects
}

async function trustAsItIs(
  { config }: Pick<UseCases, "config">,
  project: Project,
  report: (line: string) => void,
): Promise<void> {
  const { state, hash, entries } = (await config.get(project.id)).trust
  if (hash === null || state === "trusted" || state === "nothing") return
  await config.trust({ projectID: project.id, hash })
  report(`what ${project.directory} brings is trusted as it is now:`)
  for (const entry of entries) report(`  ${entryLine(entry)}`)
}

function untrustedText({ directory }: Project, state: "untrusted" | "changed"): string {
  const why = state === "changed" ? "has changed since you trusted it" : "is not trusted"
  return `what ${directory} brings ${why}, so it does nothing but make permissions stricter; start with --trust to let it count`
}
