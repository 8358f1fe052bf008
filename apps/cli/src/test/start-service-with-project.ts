import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createDocketClient, type DocketClient } from "@docket/client"
import { startService } from "./start-service.ts"

/** A service with an empty project, in a home directory of its own. */
export interface ServiceWithProject {
  home: string
  /** For commands that use the service. */
  env: NodeJS.ProcessEnv
  data: string
  project: string
  address: string
  client: DocketClient
  projectID: string
  remove(): Promise<void>
}

export async function startServiceWithProject(): Promise<ServiceWithProject> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), "docket-cli-")))
  const [data, project] = [path.join(home, "data"), path.join(home, "project")]
  await mkdir(project)
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" }
  const service = await startService(env, { data, project })
  const client = createDocketClient({ url: service.address, token: service.token })
  const [{ id: projectID = "" } = {}] = await client.project.list.query()
  return {
    ...{ home, env, data, project, address: service.address, client, projectID },
    async remove() {
      await service.stop()
      await rm(home, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
