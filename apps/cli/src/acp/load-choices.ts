import type { DocketClient } from "@docket/client"
import type { Choices } from "./config-options.ts"

/** What sessions of a project may be set to. */
export async function loadChoices(docket: DocketClient, projectID: string): Promise<Choices> {
  const [agents, providers, defaultModel] = await Promise.all([
    docket.agent.list.query({ projectID }),
    docket.provider.list.query({ projectID }),
    docket.provider.defaultModel.query({ projectID }),
  ])
  return { agents, providers, defaultModel }
}
