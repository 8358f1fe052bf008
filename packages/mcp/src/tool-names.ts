import { createHash } from "node:crypto"
import { mcpPrefix } from "@docket/core/schema"
import { toolNames } from "@docket/core/tool-metadata"

/** The name under which models call a tool, and the permission that rules are about. */
export interface NamedTool {
  id: string
  permission: string
}

/** Characters of a name that every provider takes. */
const longest = 64

/**
 * Gives tools of servers their names: `server_tool`, with `_` for what providers do not take. A name that is too long or
 * taken is cut, and ends in a digest of both names. Rules are about the whole name, so they hold for a cut one too.
 */
export function createToolNames(): (server: string, tool: string) => NamedTool {
  const taken = new Set<string>(toolNames)
  return (server, tool) => {
    const permission = `${mcpPrefix(server)}_${tool.replace(/[^A-Za-z0-9_-]/g, "_")}`
    const id = permission.length > longest || taken.has(permission) ? cutName(permission, server, tool) : permission
    taken.add(id)
    return { id, permission }
  }
}

function cutName(name: string, server: string, tool: string): string {
  const digest = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 8)
  return `${name.slice(0, longest - 9)}_${digest}`
}
