import path from "node:path"
import type { DocketClient } from "@docket/client"
import type { Project } from "@docket/core/schema"

/**
 * Opens a project. A user without the right to open projects gets the one that is already open, so that the call is not
 * refused.
 */
export async function openProject(client: DocketClient, directory: string): Promise<Pick<Project, "id">> {
  if (!path.isAbsolute(directory)) {
    const found = (await client.project.list.query()).find((project) => project.directory === directory)
    if (found !== undefined) return found
  }
  const { refused } = await client.me.get.query()
  const known =
    refused["projects.manage"] !== undefined &&
    (await client.project.list.query()).find((project) => project.directory === directory)
  return known || (await client.project.open.mutate({ directory }))
}
