import { workspaceDrawers } from "@docket/core"
import { createFileVault, createRowVault, type RowVaultDeps, type Vault } from "@docket/core/vault"
import { directoryOfWorkspace } from "../workspaces/workspace-place.ts"
import { serviceDrawers } from "./service-drawers.ts"

/** The secrets of a service. */
export interface Vaults {
  /** Those that belong to no workspace. */
  service: Vault
  of(workspace: string): Vault
  /** Where people find them. */
  place: "files" | "rows"
}

export function fileVaults(data: string): Vaults {
  return {
    service: createFileVault(serviceDrawers(data)),
    of: (id) => createFileVault(workspaceDrawers(directoryOfWorkspace(data, id))),
    place: "files",
  }
}

export function rowVaults(deps: RowVaultDeps): Vaults {
  return { service: createRowVault(deps, ""), of: (id) => createRowVault(deps, id), place: "rows" }
}
