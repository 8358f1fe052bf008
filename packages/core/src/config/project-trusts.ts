import { DocketError } from "../error.ts"
import type { GlobalBus } from "../event/global-bus.ts"
import type { Projects } from "../project/projects.ts"
import type { ProjectTrust, Runtime } from "../runtime-port.ts"
import type { Project } from "../schema/index.ts"
import type { TrustStore } from "../store/index.ts"
import type { Configs } from "./configs.ts"

export interface ProjectTrustsDeps {
  store: TrustStore
  configs: Configs
  projects: Pick<Projects, "get" | "list">
  bus: GlobalBus
  clock: () => number
}

/** What the user decides about the configuration of projects. */
export function createProjectTrusts(deps: ProjectTrustsDeps): Pick<Runtime["config"], "trust" | "revoke"> {
  const trustOf = async (project: Project): Promise<ProjectTrust> => {
    deps.configs.forget()
    return (await deps.configs.of(project)).trust
  }
  const changed = async (project: Project) => {
    const trust = await trustOf(project)
    for (const { id, worktree } of await deps.projects.list()) {
      if (worktree !== project.worktree) continue
      const event = { type: "config.updated", properties: { projectID: id }, rootID: null, seq: null } as const
      deps.bus.publish({ projectID: id, event })
    }
    return trust
  }
  return {
    async trust({ projectID, hash }) {
      const project = await deps.projects.get(projectID)
      const now = await trustOf(project)
      if (now.directory === null || now.hash !== hash) {
        const message = `The configuration of ${project.directory} is not the one that you looked at: it has changed. Look at it again.`
        throw new DocketError("config_changed", message)
      }
      await deps.store.put({ directory: now.directory, hash, time: { trusted: deps.clock() } })
      return changed(project)
    },
    async revoke(projectID) {
      const project = await deps.projects.get(projectID)
      const { directory } = await trustOf(project)
      if (directory !== null) await deps.store.remove(directory)
      return changed(project)
    },
  }
}
