import type { PermissionConfig } from "../../ground/schema/index.ts"

/** Tools that share the permission `edit`. */
export const editTools: ReadonlySet<string> = new Set(["edit", "write", "patch", "apply_patch", "multiedit"])

/** `tools: { bash: false }`, the older way to say `permission: { bash: "deny" }`. */
export function toolsPermission(tools: Record<string, boolean>): PermissionConfig {
  return Object.fromEntries(
    Object.entries(tools).map(([tool, on]) => [editTools.has(tool) ? "edit" : tool, on ? "allow" : "deny"]),
  )
}
