import { homedir } from "node:os"
import path from "node:path"
import { processEnv } from "../env.ts"

/** Where a workspace has its own files. Paths are absolute. */
export interface WorkspacePlace {
  /** Its worktrees, outputs, snapshots, saved keys and the like. */
  dataDirectory: string
  /** Holds the configuration that counts as the user's own. */
  home: string
  env: Record<string, string | undefined>
}

/** The first workspace has what the service had before there were others. */
export function firstPlace(data: string): WorkspacePlace {
  return { dataDirectory: data, home: homedir(), env: processEnv }
}

/** Any other lies apart, also from the configuration of whoever runs the service. */
export function placeOf(data: string, id: string): WorkspacePlace {
  const dataDirectory = path.join(data, "workspaces", id)
  const home = path.join(dataDirectory, "home")
  return { dataDirectory, home, env: { ...processEnv, XDG_CONFIG_HOME: path.join(home, ".config") } }
}
