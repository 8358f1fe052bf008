import path from "node:path"
import type { DocketClient } from "@docket/client"
import { UsageError } from "../usage-error.ts"
import type { Connected } from "./connect.ts"

/** What `--project` means, for the help of a command. */
export const projectOption = "the project; on a team's server, one of its projects (default: .)"

/**
 * Absolute directory of the project that a person names: here, or on a server elsewhere, of which nothing here is a
 * directory. @throws UsageError with the projects of the server
 */
export async function projectDirectory(
  { client, isRemote }: Pick<Connected, "client" | "isRemote">,
  named: string | undefined,
): Promise<string> {
  return isRemote ? await projectThere(client, named ?? null) : path.resolve(named ?? ".")
}

/**
 * The directory, on a server elsewhere, of the project that a person names by its name or directory there. Without a name
 * it is the one that is called like the directory here, or the only one. @throws UsageError with those there are
 */
async function projectThere(client: DocketClient, named: string | null): Promise<string> {
  const projects = await client.project.list.query()
  const name = named ?? path.basename(process.cwd())
  const [found, another] = projects.filter(({ name: called, directory }) => called === name || directory === name)
  if (found && another === undefined) return found.directory
  // Who may open projects there opens one that is not yet.
  if (named !== null && path.isAbsolute(named)) return named
  const [only] = projects
  if (named === null && only && projects.length === 1) return only.directory
  const list = projects.map(({ directory }) => `\n  ${directory}`).join("")
  throw new UsageError(
    projects.length === 0
      ? "the server has no project open; an administrator opens one there"
      : `say which project of the server, with --project and its directory there:${list}`,
  )
}
