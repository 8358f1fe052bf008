import { nearestNames } from "../../ground/error/nearest-name.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import type { PermissionConfig } from "../../ground/schema/index.ts"
import type { PermissionAction } from "../../ground/schema/permission.ts"
import { otherPermissions, toolNames } from "../../ground/schema/tool-metadata.ts"

/** For tools that ask for the permission of another tool: which one. */
const permissionBehind: ReadonlyMap<string, string> = new Map([
  ["apply_patch", "edit"],
  ["multiedit", "edit"],
  ["patch", "edit"],
  ["todoupdate", "todowrite"],
  ["write", "edit"],
])

/** Docket's tools that a file may replace where the user says so: those that work on files and the web by themselves. */
export const replaceableTools = [
  ...(["apply_patch", "bash", "edit", "glob", "grep", "list", "lsp", "multiedit", "read"] as const),
  ...(["webfetch", "websearch", "write"] as const),
] as const

/** The permission that a tool asks for, by its name. */
export function permissionOfTool(name: string): string {
  return permissionBehind.get(name) ?? name
}

/** The permissions that tools and the runtime ask for. */
export const permissionNames: readonly string[] = [
  ...toolNames.filter((name) => !permissionBehind.has(name)),
  ...otherPermissions,
].sort()

/** Whether a name in a permission section is about a tool of one of these files: one may export `file_other`, too. */
function isOfToolFile(name: string, toolFiles: readonly string[]): boolean {
  return toolFiles.some((file) => name.startsWith(`${file}_`) || matchWildcard(name, file))
}

/**
 * Why a name in a permission section decides nothing, and which names it may stand for; null when it decides.
 * @param toolFiles names of the files that define tools
 */
export function strangeName(
  name: string,
  toolFiles: readonly string[] = [],
): { message: string; meant: string[] } | null {
  if (isOfToolFile(name, toolFiles)) return null
  const behind = permissionBehind.get(name)
  if (behind !== undefined) return { message: `"${name}" is judged by "${behind}"; write that.`, meant: [behind] }
  if (permissionNames.some((known) => matchWildcard(name, known))) return null
  const same = permissionNames.filter((known) => known === name.toLowerCase())
  const meant = same.length > 0 ? same : nearestNames(name, permissionNames)
  const advice = meant.length === 0 ? "The rule decides nothing." : `Did you mean ${quoted(meant)}?`
  return { message: `there is no tool "${name}". ${advice}`, meant }
}

/** What a rule takes away; null when it only allows. */
export function restrictions(
  rule: PermissionAction | Record<string, PermissionAction>,
): Record<string, PermissionAction> | null {
  const patterns = typeof rule === "string" ? { "*": rule } : rule
  const kept = Object.entries(patterns).filter(([, action]) => action !== "allow")
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(" or ")
}

/** Tools that share the permission `edit`. */
export const editTools: ReadonlySet<string> = new Set([
  "edit",
  ...[...permissionBehind.keys()].filter((name) => permissionBehind.get(name) === "edit"),
])

/** `tools: { bash: false }`, the older way to say `permission: { bash: "deny" }`. */
export function toolsPermission(tools: Record<string, boolean>): PermissionConfig {
  return Object.fromEntries(
    Object.entries(tools).map(([tool, on]) => [editTools.has(tool) ? "edit" : tool, on ? "allow" : "deny"]),
  )
}
