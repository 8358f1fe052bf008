import type { DocketClient } from "@docket/client"
import { entryLine } from "@docket/core/config"

/** Trusts the current configuration of the project. @returns lines that say what was trusted */
export async function trustProject(client: DocketClient, projectID: string): Promise<string[]> {
  const { trust } = await client.config.get.query({ projectID })
  if (trust.hash === null || trust.state === "trusted") return []
  await client.config.trust.mutate({ projectID, hash: trust.hash })
  const lines = trust.entries.map((entry) => `  ${entryLine(entry)}`)
  return [`what ${trust.directory} brings is trusted as it is now${lines.length > 0 ? ":" : ""}`, ...lines]
}
