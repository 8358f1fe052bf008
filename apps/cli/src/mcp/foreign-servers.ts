import { readFile } from "node:fs/promises"
import path from "node:path"
import { readClientServer, readGeminiServer } from "@docket/compat/client-servers"
import { readCodexServers } from "@docket/compat/codex-servers"
import { readMcpFile } from "@docket/core/read-mcp-file"
import { visibleText } from "@docket/core/rule"
import type { McpServerConfig } from "@docket/core/schema"
import { shellWord } from "../shell-word.ts"

/** What a file of another program gives. */
export interface ForeignServers {
  file: string
  servers: Record<string, McpServerConfig>
  /** What was left out of it, and why. */
  skipped: string[]
}

type Read = (
  file: string,
  text: string,
) => {
  servers: readonly { name: string; config: McpServerConfig }[]
  problems: readonly { line: number | null; message: string }[]
}

const nothing = { servers: [], problems: [] }
const jsonFile =
  (key: string, read = readClientServer): Read =>
  (file, text) =>
    text.includes(`"${key}"`) ? readMcpFile(file, text, { key, read }) : nothing
const usual = jsonFile("mcpServers")
const gemini = jsonFile("mcpServers", readGeminiServer)
const codex: Read = (_, text) => (text.includes("mcp_servers") ? readCodexServers(text) : nothing)

/** Files of other programs that Docket does not read by itself. */
const ofUser = (home: string): [file: string, read: Read][] => [
  [path.join(home, ".codex/config.toml"), codex],
  [path.join(home, ".cursor/mcp.json"), usual],
  [path.join(home, ".gemini/settings.json"), gemini],
  [path.join(home, ".codeium/windsurf/mcp_config.json"), usual],
  [path.join(home, ".config/Claude/claude_desktop_config.json"), usual],
  [path.join(home, "Library/Application Support/Claude/claude_desktop_config.json"), usual],
  [path.join(home, ".claude.json"), usual],
]
const ofProject = (directory: string): [file: string, read: Read][] => [
  [path.join(directory, ".cursor/mcp.json"), usual],
  [path.join(directory, ".vscode/mcp.json"), jsonFile("servers")],
  [path.join(directory, ".gemini/settings.json"), gemini],
  [path.join(directory, ".codex/config.toml"), codex],
]

/**
 * The servers that a user has in other programs, or those that a project brings for them, file by file. Never both: what
 * a project brings is not the user's own. Files without any are left out.
 */
export async function findForeignServers(place: { home: string } | { project: string }): Promise<ForeignServers[]> {
  const files = "home" in place ? ofUser(place.home) : ofProject(place.project)
  const found = await Promise.all(
    files.map(async ([file, read]): Promise<ForeignServers[]> => {
      const text = await readFile(file, "utf8").catch(() => null)
      if (text === null) return []
      const { servers, problems } = read(file, text)
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
  const left = skipped.map((why) => `  note: ${why}`)
  return [`${file}:${named.length === 0 ? " no server" : ""}`, ...named, ...left].map(visibleText)
}

function shown(server: McpServerConfig): string {
  if (server.type === "remote") return server.url
  return server.command.map(shellWord).join(" ")
}
