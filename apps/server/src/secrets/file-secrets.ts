import { readdirSync } from "node:fs"
import path from "node:path"
import { workspaceDrawers } from "@docket/core"
import type { SecretPlace } from "@docket/core/store"
import type { Drawer, SecretKind } from "@docket/core/vault"
import { directoryOfWorkspace, firstID } from "../workspaces/workspace-place.ts"
import { serviceDrawers } from "./service-drawers.ts"

/** A secret in the files of a data directory. */
export interface FileSecret extends SecretPlace {
  kind: SecretKind
  value: unknown
}

/** The files of a data directory that hold secrets of one kind. */
export interface FilesOfKind {
  tenantID: string
  kind: SecretKind
  drawer: Drawer
  /** Where they are, relative to the data directory. */
  place: string
}

/** All files of a data directory that may hold secrets, of the service and of its workspaces. */
export function secretFiles(data: string): FilesOfKind[] {
  const workspaces = [firstID, ...otherWorkspaces(data)]
  const owners = [
    { tenantID: "", directory: data, drawers: serviceDrawers(data) },
    ...workspaces.map((tenantID) => {
      const directory = directoryOfWorkspace(data, tenantID)
      return { tenantID, directory, drawers: workspaceDrawers(directory) }
    }),
  ]
  return owners.flatMap(({ tenantID, directory, drawers }) =>
    Object.entries(drawers).flatMap(([kind, drawer]) => {
      if (drawer.place === null) return []
      const place = path.relative(data, path.join(directory, drawer.place))
      return [{ tenantID, kind: kind as SecretKind, drawer, place }]
    }),
  )
}

/** The secrets in files. @throws config_invalid when one cannot be read */
export async function readSecretFiles(files: readonly FilesOfKind[]): Promise<FileSecret[]> {
  const all = await Promise.all(
    files.map(async ({ tenantID, kind, drawer }) =>
      [...(await drawer.all())].map(([name, value]) => ({ tenantID, kind, name, value })),
    ),
  )
  return all.flat()
}

function otherWorkspaces(data: string): string[] {
  try {
    const entries = readdirSync(path.join(data, "workspaces"), { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}
