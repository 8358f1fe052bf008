import { resolve, sep } from "node:path"
import type { UseCases } from "@docket/core"
import type { Project } from "@docket/core/schema"
import { OpencodeError } from "./opencode-error.ts"

/**
 * The directory that a request names: in its address, or percent-encoded in a header. Null for none.
 * @throws OpencodeError 400 for one that is not absolute
 */
export function directoryOf({ query, header }: { query: string | undefined; header: string | undefined }) {
  const named = query || decoded(header ?? "")
  if (named === "") return null
  if (!named.startsWith("/"))
    throw new OpencodeError(400, `The directory "${named}" is not absolute. Name it from / on.`)
  return resolve(named)
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch {
    throw new OpencodeError(400, "The header x-opencode-directory is not percent-encoded text.")
  }
}

/**
 * The open project of a directory: that of the directory itself, else the nearest one above it. Nothing is opened.
 * @throws OpencodeError 404
 */
export function projectAt(projects: readonly Project[], directory: string): Project {
  const above = projects.filter((project) => `${directory}${sep}`.startsWith(`${project.directory}${sep}`))
  const [nearest] = above.toSorted((a, b) => b.directory.length - a.directory.length)
  if (nearest !== undefined) return nearest
  throw new OpencodeError(404, `${directory} is not in an open project. ${howToOpen} ${listed(projects)}`)
}

/** The project of a directory; without one, the project that was opened last. @throws OpencodeError 404 */
export async function chosenProject({ project }: Pick<UseCases, "project">, directory: string | null) {
  const projects = await project.list()
  if (directory !== null) return projectAt(projects, directory)
  const [last] = projects
  if (last === undefined) throw new OpencodeError(404, `No project is open. ${howToOpen}`)
  return last
}

/** The id of the project of a directory, or undefined for all projects. @throws OpencodeError 404 */
export async function projectIDOf(agents: Pick<UseCases, "project">, directory: string | null) {
  return directory === null ? undefined : (await chosenProject(agents, directory)).id
}

const howToOpen = "Open its directory in Docket: in the project picker, or with docket serve --project."

function listed(projects: readonly Project[]): string {
  return projects.length === 0 ? "No project is open." : `Open are: ${projects.map((it) => it.directory).join(", ")}.`
}
