import path from "node:path"
import { unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { readWithin } from "../../ground/file/read-within.ts"
import { type McpServerConfig, mcpPrefix } from "../../ground/schema/mcp-config.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { mcpNotes } from "../config/mcp-notes.ts"
import { createProgramFiles } from "../config/program-files.ts"
import type { FindProvidedFiles, ProvidedFile } from "../config/provided-file.ts"
import type { SeenProject } from "../config/seen-project.ts"
import { readMcpFile } from "./read-mcp-file.ts"

const maxBytes = 256 * 1024

/** Finds the servers in `.mcp.json` of a project; each waits for trust by itself. */
export const findMcpFiles: FindProvidedFiles = async (project) => {
  const files: ProvidedFile[] = []
  const { read, problems } = await readMcpFiles(project)
  const programFiles = createProgramFiles(project.top)
  for (const { file, name, config } of read) {
    const beside = await programFiles(config)
    files.push({ kind: "mcp-server", name, file, text: JSON.stringify(config), beside, notes: mcpNotes(config) })
  }
  return { files, problems }
}

/** What the tools of the servers in a project's `.mcp.json` begin with, so that rules may be about them. */
export async function mcpFileNames(project: SeenProject | null): Promise<string[]> {
  if (project === null) return []
  const { read } = await readMcpFiles(project)
  return read.map(({ name }) => mcpPrefix(name))
}

interface ReadServers {
  read: { file: string; name: string; config: McpServerConfig }[]
  problems: ConfigProblem[]
}

async function readMcpFiles({ top, levels, glance }: SeenProject): Promise<ReadServers> {
  const found: ReadServers = { read: [], problems: [] }
  const files = levels.map((level) => path.join(level, ".mcp.json"))
  for (const file of await glance.present(files, (name) => name)) {
    const text = await textOf(top, file)
    if (text === null) continue
    if ("message" in text) {
      found.problems.push({ file, line: null, column: null, message: text.message })
      continue
    }
    const { servers, problems } = readMcpFile(file, text.text)
    found.read.push(...servers.map((server) => ({ file, ...server })))
    found.problems.push(...problems)
  }
  return found
}

/** Null when there is none. */
async function textOf(top: string, file: string): Promise<{ text: string } | { message: string } | null> {
  try {
    const { bytes, size } = await readWithin(top, file, maxBytes)
    if (size > maxBytes) return { message: `The file is left out: it is larger than ${maxBytes} bytes.` }
    return { text: bytes.toString("utf8") }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
    return { message: `The file is left out: it ${unreadableReason(error)}.` }
  }
}
