import type { PermissionConfig } from "../../ground/schema/permission.ts"
import type { AgentConfig } from "./schema.ts"

/**
 * What a permission section denies. All that counts of one that may not be meant: what it allows or asks could stand
 * above a denial from elsewhere.
 */
export function onlyDenials(permission: PermissionConfig): PermissionConfig {
  if (typeof permission === "string") return permission === "deny" ? permission : {}
  const denied = Object.entries(permission).flatMap(([tool, rule]) => {
    if (typeof rule === "string") return rule === "deny" ? [[tool, rule]] : []
    return [[tool, Object.fromEntries(Object.entries(rule).filter(([, action]) => action === "deny"))]]
  })
  return Object.fromEntries(denied)
}

/** The agent with rights that only deny. */
export function onlyDenying({ permission, tools, ...rest }: AgentConfig): AgentConfig {
  return {
    ...rest,
    ...(permission !== undefined && { permission: onlyDenials(permission) }),
    ...(tools !== undefined && { tools: Object.fromEntries(Object.entries(tools).filter(([, on]) => !on)) }),
  }
}
