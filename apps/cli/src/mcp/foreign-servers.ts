import { readFile } from "node:fs/promises"
import path from "node:path"
import { readCodexServers } from "@docket/compat/codex-servers"
import { readMcpFile } from "@docket/core/read-mcp-file"
import { visibleText } from "@docket/core/rule"
import type { McpServerConfig } from "@docket/core/schema"

/** What a file of another program gives. */
export interface ForeignServers {
  file: string
  servers: Record<string, McpServerConfig>
  /** What was left out, and why. */
  skipped: string[]
}

/** In Codex' files, which are TOML. */
const codexKey = "mcp_servers"

/** Files of other programs, with the key of their servers, that Docket does not read by itself. */
const ofUser = (home: string): [file: string, key: string][] => [
  [path.join(home, ".codex/config.toml"), codexKey],
  [path.join(home, ".cursor/mcp.json"), "mcpServers"],
  [path.join(home, ".gemini/settings.json"), "mcpServers"],
  [path.join(home, ".codeium/windsurf/mcp_config.json"), "mcpServers"],
  [path.join(home, ".config/Claude/claude_desktop_config.json"), "mcpServers"],
  [path.join(home, "Library/Application Support/Claude/claude_desktop_config.json"), "mcpServers"],
  [path.join(home, ".claude.json"), "mcpServers"],
]
const ofProject = (directory: string): [file: string, key: string][] => [
  [path.join(directory, ".cursor/mcp.json"), "mcpServers"],
  [path.join(directory, ".vscode/mcp.json"), "servers"],
  [path.join(directory, ".gemini/settings.json"), "mcpServers"],
  [path.join(directory, ".codex/config.toml"), codexKey],
]

/**
 * The servers that a user has in other programs, or those that a project brings for them, file by file. Never both: what
 * a project brings is not the user's own. Files without any are left out.
 */
export async function findForeignServers(place: { home: string } | { project: string }): Promise<ForeignServers[]> {
  const files = "home" in place ? ofUser(place.home) : ofProject(place.project)
  const found = await Promise.all(
    files.map(async ([file, key]): Promise<ForeignServers[]> => {
      const text = await readFile(file, "utf8").catch(() => null)
      if (text === null || !text.includes(key === codexKey ? key : `"${key}"`)) return []
      const { servers, problems } = key === codexKey ? readCodexServers(text) : readMcpFile(file, text, [key])
      if (servers.length + problems.length === 0) return []
      return [
        {
          file,
          servers: Object.fromEntries(servers.map(({ name, config }) => [name, config])),
          skipped: problems.map(({ line, message }) => (line === null ? message : `line ${line}: ${message}`)),
        },
      ]
    }),
  )
  return found.flat()
}

/** What a person has to see before they take the servers of a file: what each runs, or where it leads. */
export function foreignLines({ file, servers, skipped }: ForeignServers): string[] {
  const named = Object.entries(servers).map(([name, server]) => `  ${name}: ${shown(server)}`)
  const left = skipped.map((why) => `  left out: ${why}`)
  return [`${file}:${named.length === 0 ? " no server" : ""}`, ...named, ...left].map(visibleText)
}

function shown(server: McpServerConfig): string {
  if (server.type === "remote") return server.url
  return server.command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" ")
}
