import type { DocketClient } from "@docket/client"
import { entryLine } from "@docket/core/config"

/** Lets the project's configuration count as it is now. @returns lines for the user: what it sets */
export async function trustProject(client: DocketClient, projectID: string): Promise<string[]> {
  const { trust } = await client.config.get.query({ projectID })
  if (trust.hash === null || trust.state === "trusted" || trust.state === "nothing") return []
  await client.config.trust.mutate({ projectID, hash: trust.hash })
  const lines = trust.entries.map((entry) => `  ${entryLine(entry)}`)
  return [`the configuration of ${trust.directory} is trusted as it is now; it sets:`, ...lines]
}
