import { resolve, sep } from "node:path"
import { DocketError, type UseCases } from "@docket/core"
import type { Project } from "@docket/core/schema"

/**
 * The directory that a request names: in its address, or percent-encoded in a header. Null for none.
 * @throws invalid_input for one that is not absolute
 */
export function directoryOf({ query, header }: { query: string | undefined; header: string | undefined }) {
  const named = query || decoded(header ?? "")
  return named === "" ? null : absolute(named)
}

/** @throws invalid_input for a path that is not absolute */
export function absolute(directory: string): string {
  if (directory.startsWith("/")) return resolve(directory)
  throw new DocketError("invalid_input", `The directory "${directory}" is not absolute. Name it from / on.`)
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch {
    throw new DocketError("invalid_input", "The header x-opencode-directory is not percent-encoded text.")
  }
}

/**
 * The open project of a directory: that of the directory itself, else the nearest one above it. Nothing is opened.
 * @throws project_not_found
 */
export function projectAt(projects: readonly Project[], directory: string): Project {
  const above = projects.filter((project) => `${directory}${sep}`.startsWith(`${project.directory}${sep}`))
  const [nearest] = above.toSorted((a, b) => b.directory.length - a.directory.length)
  if (nearest !== undefined) return nearest
  throw new DocketError("project_not_found", `${directory} is not in an open project. ${howToOpen} ${listed(projects)}`)
}

/** The project of a directory; without one, the project that was opened last. @throws project_not_found */
export async function chosenProject({ project }: Pick<UseCases, "project">, directory: string | null) {
  const projects = await project.list()
  if (directory !== null) return projectAt(projects, directory)
  const [last] = projects
  if (last === undefined) throw new DocketError("project_not_found", `No project is open. ${howToOpen}`)
  return last
}

/** The id of the project of a directory, or undefined for all projects. @throws project_not_found */
export async function projectIDOf(agents: Pick<UseCases, "project">, directory: string | null) {
  return directory === null ? undefined : (await chosenProject(agents, directory)).id
}

const howToOpen = "Open its directory in Docket: in the project picker, or with docket serve --project."

function listed(projects: readonly Project[]): string {
  return projects.length === 0 ? "No project is open." : `Open are: ${projects.map((it) => it.directory).join(", ")}.`
}
