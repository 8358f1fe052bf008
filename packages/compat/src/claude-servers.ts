import { stat } from "node:fs/promises"
import { join } from "node:path"
import { readBoundedFile } from "@docket/core/file"
import { type DefiningUser, type OtherServers, unreadableReason } from "@docket/core/other-programs"
import { readMcpFile } from "@docket/core/read-mcp-file"
import { z } from "zod"

/** Claude Code keeps its history of prompts in the same file. */
const maxBytes = 32 * 1024 * 1024

const Servers = z.record(z.string(), z.unknown())
const File = z.object({
  mcpServers: Servers.optional().catch(undefined),
  projects: z.record(z.string(), z.object({ mcpServers: Servers.optional().catch(undefined) })).optional(),
})
type File = z.infer<typeof File>

/** What was read last: it is asked for with every reading of the configuration. */
let kept: { file: string; stamp: string; read: File } | null = null

/**
 * The servers that the user has in Claude Code: for all projects, and for this one above them. Claude Code names a project
 * by the directory in which it was started.
 */
export async function claudeServers(
  { home }: Pick<DefiningUser, "home">,
  project: { worktree: string } | null,
): Promise<OtherServers> {
  const file = join(home, ".claude.json")
  try {
    const { mcpServers = {}, projects = {} } = await read(file)
    const own = project === null ? {} : (projects[project.worktree]?.mcpServers ?? {})
    const all = { ...mcpServers, ...own }
    if (Object.keys(all).length === 0) return { servers: [], problems: [] }
    // The file is large and on one line or many: where a server stands in it helps nobody.
    const { servers, problems } = readMcpFile(file, JSON.stringify({ mcpServers: all }))
    return {
      servers: servers.map(({ name, config }) => ({ name, config, file, line: null })),
      problems: problems.map((problem) => ({ ...problem, line: null, column: null })),
    }
  } catch (error) {
    const why = error instanceof SyntaxError || error instanceof z.ZodError ? "cannot be read" : unreadableReason(error)
    const message = `The MCP servers of Claude Code are left out: the file ${why}.`
    return { servers: [], problems: [{ file, line: null, column: null, message }] }
  }
}

async function read(file: string): Promise<File> {
  const state = await stat(file).catch(() => null)
  if (state === null) return {}
  const stamp = `${state.mtimeMs} ${state.size} ${state.ino}`
  if (kept?.file === file && kept.stamp === stamp) return kept.read
  const text = (await readBoundedFile(file, maxBytes)).toString("utf8")
  const found = text.includes('"mcpServers"') ? File.parse(JSON.parse(text)) : {}
  kept = { file, stamp, read: found }
  return found
}
