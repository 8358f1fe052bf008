import type { SandboxConfig } from "../../ground/schema/sandbox-config.ts"
import type { RuntimeWorkspace } from "./runtime-workspace.ts"

/**
 * The sandbox of a workspace. With roots, commands see nothing else. In a shared workspace, no member may allow their
 * own agent a command with the service's permissions, because its tokens and data are within reach. There, commands run
 * in the sandbox or not at all.
 * @param config of the session's project
 * @param own the workspace's own file, which alone can lift this: "off", or for a workspace without roots "on"
 */
export function sandboxIn(
  { limits, isShared }: Pick<RuntimeWorkspace, "limits" | "isShared">,
  config: SandboxConfig = {},
  own: SandboxConfig = {},
): SandboxConfig {
  if (own.mode === "off") return config
  const isRequired = limits().roots !== null || (isShared && own.mode === undefined)
  return isRequired ? { ...config, mode: "required" } : config
}
