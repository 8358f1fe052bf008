import { realpath } from "node:fs/promises"
import path from "node:path"
import { RequestError } from "@agentclientprotocol/sdk/unstable"
import type { DocketClient, Project } from "@docket/client"
import type { Connected } from "../connect/connect.ts"
import { projectDirectory } from "../connect/project-directory.ts"
import { openProject } from "../open-project.ts"

/**
 * Opens the project that an editor works in. On a team's server it is the one that `--project` names, or one of the same name.
 * @throws RequestError when the directory is not absolute
 */
export async function openProjectOfEditor(
  service: Connected,
  cwd: string,
  named: string | undefined,
): Promise<Project> {
  const { client, isRemote } = service
  if (!path.isAbsolute(cwd))
    throw RequestError.invalidParams(undefined, `cwd has to be an absolute path, and is ${cwd}`)
  const directory = await projectDirectory(service, isRemote ? (named ?? path.basename(cwd)) : cwd)
  const { id } = await openProject(client, directory)
  return await client.project.get.query({ projectID: id })
}

/** The open project of a directory; undefined when there is none: looking opens nothing. */
export async function knownProjectOfEditor(client: DocketClient, cwd: string): Promise<Project | undefined> {
  const directory = await realpath(cwd).catch(() => cwd)
  const projects = await client.project.list.query()
  return projects.find((project) => project.directory === directory || project.directory === cwd)
}
