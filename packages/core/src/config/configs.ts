import type { ConfigReport } from "../runtime-port.ts"
import type { Project } from "../schema/index.ts"
import { loadConfig } from "./load-config.ts"

/** A report is used again for this long: one turn asks several times. */
const keepMs = 100

/** The config of each project, read again when it may have changed. */
export interface Configs {
  /** Without a project: only the user's own files. */
  of(project: Project | null): Promise<ConfigReport>
}

export function createConfigs(deps: {
  home: string
  env: Record<string, string | undefined>
  clock: () => number
}): Configs {
  const kept = new Map<string, { report: Promise<ConfigReport>; at: number }>()
  return {
    of(project) {
      const key = project?.directory ?? ""
      const known = kept.get(key)
      if (known !== undefined && deps.clock() - known.at < keepMs) return known.report
      const directory = project?.directory ?? deps.home
      const worktree = project?.worktree ?? deps.home
      const report = loadConfig({ directory, worktree, home: deps.home, env: deps.env })
      kept.set(key, { report, at: deps.clock() })
      report.catch(() => kept.delete(key))
      return report
    },
  }
}
