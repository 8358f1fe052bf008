import type { Tool } from "../../acts/tool/tool.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import type { ToolSwitches } from "../../ground/schema/index.ts"

/**
 * Whether the switches of a prompt take a tool away. Its own name counts before that of its permission, so that
 * `edit: false` is about all tools that edit, and `{ edit: false, apply_patch: true }` leaves one of them.
 */
export function isSwitchedOff({ id, permission }: Pick<Tool, "id" | "permission">, switches: ToolSwitches): boolean {
  return (stateOf(id, switches) ?? stateOf(permission, switches) ?? true) === false
}

/** The longest pattern that matches counts; a lone `*` is looked at last. */
function stateOf(name: string, switches: ToolSwitches): boolean | undefined {
  const patterns = Object.keys(switches).filter((pattern) => matchWildcard(pattern, name))
  const [nearest] = patterns.sort((a, b) => Number(b === name) - Number(a === name) || b.length - a.length)
  return nearest === undefined ? undefined : switches[nearest]
}
