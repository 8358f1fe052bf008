import type { UseCases } from "@docket/core"
import { entryLine, problemLines } from "@docket/core/config"
import type { Project } from "@docket/core/schema"
import type { ServiceOptions } from "./options.ts"

/**
 * Opens the projects of the command line and reports problems and untrusted parts of their configuration. With `trust`,
 * their current configuration is trusted. @throws project_directory_missing
 */
export async function openProjects(
  runtime: Pick<UseCases, "project" | "config">,
  { projects: directories, trust }: Pick<ServiceOptions, "projects" | "trust">,
  report: (line: string) => void,
): Promise<Project[]> {
  const projects: Project[] = []
  for (const directory of directories) {
    const project = await runtime.project.open({ directory })
    projects.push(project)
    if (trust) await trustAsItIs(runtime, project, report)
    for (const line of problemLines(await runtime.config.report({ projectID: project.id }))) report(line)
  }
  return projects
}

async function trustAsItIs(
  { config }: Pick<UseCases, "config">,
  project: Project,
  report: (line: string) => void,
): Promise<void> {
  const { state, hash, entries } = (await config.report({ projectID: project.id })).trust
  if (hash === null || state === "trusted") return
  await config.trust({ projectID: project.id, hash })
  report(`what ${project.directory} brings is trusted as it is now${entries.length > 0 ? ":" : ""}`)
  for (const entry of entries) report(`  ${entryLine(entry)}`)
}
