import { realpath } from "node:fs/promises"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Caller, Project } from "../../ground/schema/index.ts"
import type { TrustStore } from "../../ground/store/index.ts"
import type { Projects } from "../project/projects.ts"
import type { Configs } from "./configs.ts"
import { makeOwnChange, type OwnChange } from "./own-change.ts"
import type { ConfigService, TrustedDirectory } from "./trust-service.ts"

export interface ProjectTrustsDeps {
  store: TrustStore
  configs: Configs
  projects: Pick<Projects, "get" | "list">
  bus: Bus
  clock: () => number
}

export type ProjectTrusts = Pick<ConfigService, "revoke" | "trusted" | "revokeDirectory"> & {
  /** {@link makeOwnChange}, and tells who shows the configuration of any project. */
  makeOwnChange(change: OwnChange, by: Caller): Promise<boolean>
  trust(input: Parameters<ConfigService["trust"]>[0], by: Caller): ReturnType<ConfigService["trust"]>
}

/** What the user decides about what projects bring. */
export function createProjectTrusts(deps: ProjectTrustsDeps): ProjectTrusts {
  const read = (project: Project) => {
    deps.configs.forget()
    return deps.configs.of(project)
  }
  const tell = (projectID: Project["id"]) =>
    deps.bus.publish({ type: "config.updated", properties: { projectID }, rootID: null, seq: null })
  const tellOf = async (directory: string) => {
    for (const { id, worktree } of await deps.projects.list()) {
      if ((await realpath(worktree).catch(() => worktree)) !== directory) continue
      tell(id)
    }
  }
  const revokeDirectory = async (directory: string) => {
    await deps.store.remove(directory)
    deps.configs.forget()
    await tellOf(directory)
  }
  return {
    async makeOwnChange(change, by) {
      const counts = await makeOwnChange(deps, change, by)
      for (const { id } of await deps.projects.list()) tell(id)
      return counts
    },
    async trust({ projectID, hash }, by) {
      const project = await deps.projects.get(projectID)
      const { trust: now, digests } = await read(project)
      if (now.directory === null || now.hash !== hash) {
        const message = `What ${project.directory} brings is not what you looked at: it has changed. Look at it again.`
        throw new DocketError("config_changed", message)
      }
      await deps.store.put({ directory: now.directory, hash, entries: digests, by, time: { trusted: deps.clock() } })
      const { trust } = await read(project)
      await tellOf(now.directory)
      return trust
    },
    async revoke(projectID) {
      const project = await deps.projects.get(projectID)
      const { directory } = (await read(project)).trust
      if (directory !== null) await revokeDirectory(directory)
      return (await read(project)).trust
    },
    async trusted() {
      const newest = new Map<string, TrustedDirectory>()
      for (const { directory, time } of await deps.store.list()) {
        if (!newest.has(directory)) newest.set(directory, { directory, time })
      }
      return [...newest.values()]
    },
    revokeDirectory,
  }
}
