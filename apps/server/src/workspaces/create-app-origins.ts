import { otherPrograms } from "@docket/compat"
import { loadUserConfig } from "@docket/core/load-config"
import { placeOfWorkspace, type WorkspacePlace } from "./workspace-place.ts"

export interface AppOriginsDeps {
  /** Absolute path of the service's data directory. */
  data: string
  /** Settings of this service only: paths of files, or JSON. */
  config: readonly string[]
  /** The existing workspaces. */
  list(): readonly { id: string }[]
  first: { id: string; origins(): Promise<readonly string[]> }
  clock(): number
}

/** How long the configuration is cached (ms), because anyone can cause a read. */
const keepMs = 100

/**
 * The origins whose pages may call a workspace with a token, from its configuration; with null, those of any workspace.
 * Does not open a workspace.
 */
export function createAppOrigins({
  data,
  config,
  list,
  first,
  clock,
}: AppOriginsDeps): (workspace: string | null) => Promise<readonly string[]> {
  const kept = new Map<string, { origins: Promise<readonly string[]>; at: number }>()
  const originsOf = (id: string): Promise<readonly string[]> => {
    if (id === first.id) return first.origins()
    const known = kept.get(id)
    if (known !== undefined && clock() - known.at < keepMs) return known.origins
    const origins = originsAt(placeOfWorkspace(data, id), config)
    kept.set(id, { origins, at: clock() })
    return origins
  }
  return async (workspace) => {
    const ids = list().map(({ id }) => id)
    for (const id of kept.keys()) if (!ids.includes(id)) kept.delete(id)
    if (workspace === null) return (await Promise.all(ids.map(originsOf))).flat()
    // A tenant that is not a workspace belongs to the operator, so the first workspace decides.
    return originsOf(ids.includes(workspace) ? workspace : first.id)
  }
}

async function originsAt({ home, env }: WorkspacePlace, commandLine: readonly string[]): Promise<readonly string[]> {
  const own = await loadUserConfig({ home, env, commandLine, programs: otherPrograms })
  return own.config.api?.origins ?? []
}
