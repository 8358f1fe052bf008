import { homedir } from "node:os"
import path from "node:path"
import { processEnv } from "../env.ts"

/** The file locations of a workspace. Paths are absolute. */
export interface WorkspacePlace {
  /** For its worktrees, outputs, snapshots, saved keys and the like. */
  dataDirectory: string
  /** The directory with the configuration that counts as the user's own. */
  home: string
  env: Record<string, string | undefined>
}

/** The id of the first workspace. */
export const firstID = "local"

/** The directory with the data of a workspace. */
export function directoryOfWorkspace(data: string, id: string): string {
  return id === firstID ? data : path.join(data, "workspaces", id)
}

/** The first workspace uses the service's own directories. */
export function firstPlace(data: string): WorkspacePlace {
  return { dataDirectory: data, home: homedir(), env: processEnv }
}

/** Every other workspace has separate directories, and does not use the operator's configuration. */
export function placeOfWorkspace(data: string, id: string): WorkspacePlace {
  const dataDirectory = directoryOfWorkspace(data, id)
  const home = path.join(dataDirectory, "home")
  return { dataDirectory, home, env: { ...processEnv, XDG_CONFIG_HOME: path.join(home, ".config") } }
}
