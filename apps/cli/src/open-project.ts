import type { DocketClient } from "@docket/client"
import type { Project } from "@docket/core/schema"

/** Who may not open projects works in those that are open: nothing is tried that they would be refused. */
export async function openProject(client: DocketClient, directory: string): Promise<Pick<Project, "id">> {
  const { refused } = await client.me.get.query()
  const known =
    refused["projects.manage"] !== undefined &&
    (await client.project.list.query()).find((project) => project.directory === directory)
  return known || (await client.project.open.mutate({ directory }))
}
