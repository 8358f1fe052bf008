import { realpath } from "node:fs/promises"
import path from "node:path"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { readWithin } from "../../ground/file/read-within.ts"
import { mcpPrefix } from "../../ground/schema/mcp-config.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import type { LoadConfigInput } from "../config/loaded-config.ts"
import { mcpNotes } from "../config/mcp-notes.ts"
import { createProgramFiles } from "../config/program-files.ts"
import type { FindProvidedFiles, ProvidedFile } from "../config/provided-file.ts"
import { readMcpFile } from "./read-mcp-file.ts"

const maxBytes = 256 * 1024

/** Finds the servers in `.mcp.json` of a project; each waits for trust by itself. */
export const findMcpFiles: FindProvidedFiles = async (project) => {
  const [top, at] = await Promise.all(
    [project.worktree, project.directory].map((place) => realpath(place).catch(() => place)),
  )
  const found: { files: ProvidedFile[]; problems: ConfigProblem[] } = { files: [], problems: [] }
  const programFiles = createProgramFiles(top ?? "")
  for (const file of filesOf(top ?? "", at ?? "")) {
    const text = await textOf(top ?? "", file)
    if (text === null) continue
    if ("message" in text) {
      found.problems.push({ file, line: null, column: null, message: text.message })
      continue
    }
    const { servers, problems } = readMcpFile(file, text.text)
    found.problems.push(...problems)
    for (const { name, config } of servers) {
      const beside = await programFiles(config)
      found.files.push({
        kind: "mcp-server",
        name,
        file,
        text: JSON.stringify(config),
        beside,
        notes: mcpNotes(config),
      })
    }
  }
  return found
}

/** What the tools of the servers in a project's `.mcp.json` begin with, so that rules may be about them. */
export async function mcpFileNames(project: LoadConfigInput["project"]): Promise<string[]> {
  if (project === null) return []
  const { files } = await findMcpFiles({ ...project, home: "", named: async () => [] })
  return files.map(({ name }) => mcpPrefix(name))
}

function filesOf(top: string, at: string): string[] {
  return directoriesBetween(top, at).map((level) => path.join(level, ".mcp.json"))
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
