import path from "node:path"
import type { DocketClient } from "@docket/client"
import { UsageError } from "../usage-error.ts"
import type { Connected } from "./connect.ts"

/** Help text of the `--project` option. */
export const projectOption =
  "the project, or the address of its repository; on a team's server, one of its projects (default: .)"

/**
 * The absolute directory of the project that the user named: on this machine, or on a remote server, where the name
 * cannot be resolved locally. @throws UsageError with the projects of the server
 */
export async function projectDirectory(
  { client, isRemote }: Pick<Connected, "client" | "isRemote">,
  named: string | undefined,
): Promise<string> {
  if (named !== undefined && /^https?:\/\//.test(named)) return projectOfRepository(client, named)
  return isRemote ? await remoteProject(client, named ?? null) : path.resolve(named ?? ".")
}

/** What a project of a repository has in place of a directory. @throws UsageError */
async function projectOfRepository(client: DocketClient, named: string): Promise<string> {
  const projects = await client.project.list.query()
  const found = projects.filter(({ directory, repository }) => directory === named || repository?.url === named)
  const [only] = found
  if (only !== undefined && found.length === 1) return only.directory
  const list = found.map(({ directory }) => `\n  ${directory}`).join("")
  throw new UsageError(
    only === undefined ? `there is no project of ${named}: docket project add ${named}` : `say which of these:${list}`,
  )
}

/**
 * Finds a project on a remote server by its name or its directory there. Without a name, it is the project with the
 * name of the current directory, or the only project. @throws UsageError with the list of projects
 */
async function remoteProject(client: DocketClient, named: string | null): Promise<string> {
  const projects = await client.project.list.query()
  const name = named ?? path.basename(process.cwd())
  const [found, another] = projects.filter(({ name: called, directory }) => called === name || directory === name)
  if (found && another === undefined) return found.directory
  // The directory may not be a project yet: a user with the right to open projects opens it.
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
