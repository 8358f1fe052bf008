import type { SandboxConfig } from "../../ground/schema/sandbox-config.ts"
import type { RuntimeWorkspace } from "./runtime-workspace.ts"

/**
 * The sandbox as a workspace has it. In one with roots, commands see nothing else. In one that several people share, no
 * member may answer their own agent that a command runs with the service's rights: its tokens and data are in reach there.
 * Commands run in the sandbox, then, or not at all.
 *
 * @param config of the session's project
 * @param own as the workspace's own file says it, which alone lifts this: "off", or for a workspace without roots "on"
 */
export function sandboxIn(
  { limits, isShared }: Pick<RuntimeWorkspace, "limits" | "isShared">,
  config: SandboxConfig = {},
  own: SandboxConfig = {},
): SandboxConfig {
  if (own.mode === "off") return config
  const isHeld = limits().roots !== null || (isShared && own.mode === undefined)
  return isHeld ? { ...config, mode: "required" } : config
}
