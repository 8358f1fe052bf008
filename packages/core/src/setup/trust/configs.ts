import type { Project } from "../../ground/schema/index.ts"
import type { TrustStore } from "../../ground/store/index.ts"
import { loadConfig } from "../config/load-config.ts"
import type { LoadConfigInput, LoadedConfig } from "../config/loaded-config.ts"
import type { FindProvidedFiles } from "../config/provided-file.ts"
import type { OverrideInput } from "../config/read-config-sources.ts"

/** ms; a report is cached, because one turn asks several times. */
const keepMs = 100

/** The config of each project, read again when it may have changed. */
export interface Configs {
  /** Without a project: only the user's own files. */
  of(project: Project | null): Promise<LoadedConfig>
  /** Clears the cache, so that the next request reads the config again. */
  forget(): void
}

export interface ConfigsDeps extends OverrideInput {
  clock: () => number
  store: Pick<TrustStore, "list">
  isShared?: LoadConfigInput["isShared"]
  /** Find what projects provide besides their configuration. */
  finders: readonly FindProvidedFiles[]
  toolFileNames?: LoadConfigInput["toolFileNames"]
}

export function createConfigs(deps: ConfigsDeps): Configs {
  const kept = new Map<string, { loaded: Promise<LoadedConfig>; at: number }>()
  return {
    of(project) {
      const key = project?.directory ?? ""
      const known = kept.get(key)
      if (known !== undefined && deps.clock() - known.at < keepMs) return known.loaded
      const loaded = loadConfig({ ...deps, project, trustedIn: deps.store.list })
      kept.set(key, { loaded, at: deps.clock() })
      loaded.catch(() => kept.delete(key))
      return loaded
    },
    forget: () => kept.clear(),
  }
}
