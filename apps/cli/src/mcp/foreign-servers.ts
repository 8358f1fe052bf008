import { readFile } from "node:fs/promises"
import path from "node:path"
import { readMcpFile } from "@docket/core/read-mcp-file"
import type { McpServerConfig } from "@docket/core/schema"

/** What a file of another program gives. */
export interface ForeignServers {
  file: string
  servers: Record<string, McpServerConfig>
  /** What was left out, and why. */
  skipped: string[]
}

/** Files of other programs, with the key of their servers, that Docket does not read by itself. */
function placesOf(home: string, directory: string): [file: string, key: string][] {
  return [
    [path.join(directory, ".cursor/mcp.json"), "mcpServers"],
    [path.join(directory, ".vscode/mcp.json"), "servers"],
    [path.join(directory, ".gemini/settings.json"), "mcpServers"],
    [path.join(home, ".cursor/mcp.json"), "mcpServers"],
    [path.join(home, ".gemini/settings.json"), "mcpServers"],
    [path.join(home, ".codeium/windsurf/mcp_config.json"), "mcpServers"],
    [path.join(home, ".config/Claude/claude_desktop_config.json"), "mcpServers"],
    [path.join(home, "Library/Application Support/Claude/claude_desktop_config.json"), "mcpServers"],
    [path.join(home, ".claude.json"), "mcpServers"],
  ]
}

/** The servers that other programs have on this machine, file by file. Files without any are left out. */
export async function findForeignServers(home: string, directory: string): Promise<ForeignServers[]> {
  const found = await Promise.all(
    placesOf(home, directory).map(async ([file, key]): Promise<ForeignServers[]> => {
      const text = await readFile(file, "utf8").catch(() => null)
      if (text === null || !text.includes(`"${key}"`)) return []
      const { servers, problems } = readMcpFile(file, text, [key])
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
