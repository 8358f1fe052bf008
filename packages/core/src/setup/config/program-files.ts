import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import type { McpLocal, McpServerConfig } from "../../ground/schema/mcp-config.ts"
import { type NamedFile, readNamedFile } from "./named-file.ts"
import type { ParsedSource } from "./parse-config-source.ts"
import type { ProvidedFile } from "./provided-file.ts"

/** What is looked at: words of one command; of all commands together paths, and bytes of their files. */
const most = { words: 200, paths: 2_000, bytes: 32 * 1024 * 1024 } as const

type ProgramFiles = NonNullable<ProvidedFile["beside"]>

/** A path in the project that a word of a command names. */
export interface NamedPath {
  /** Which word of the command. */
  at: number
  /** What stands before the path in the word, as `--config=`. */
  option: string
  /** Absolute. */
  file: string
}

/**
 * The paths in a project that the words of a server's command name, whether there is such a file or not. Null for a command
 * of too many words.
 */
export function namedPaths(top: string, { command, cwd = "." }: Pick<McpLocal, "command" | "cwd">): NamedPath[] | null {
  if (command.length > most.words) return null
  const from = path.resolve(top, cwd)
  return command.flatMap((word, at): NamedPath[] => {
    const option = /^--?[\w-]+=/.exec(word)?.[0] ?? ""
    const file = path.resolve(from, word.slice(option.length))
    return isWithin(top, file) && file !== top ? [{ at, option, file }] : []
  })
}

/** The file at a path of a project; null for none. */
export function readProgram(top: string, file: string): Promise<NamedFile | null> {
  return readNamedFile(top, file, most.bytes)
}

/**
 * Finds the files of a project that the commands of its servers name: what they are is trusted with the servers. A project
 * decides how many these are, so that only some are looked at; a server does not start where one of its files was not.
 */
export function createProgramFiles(top: string): (config: McpServerConfig) => Promise<ProgramFiles> {
  const seen = new Map<string, NamedFile | null>()
  let bytes = 0
  const lookAt = async (file: string): Promise<NamedFile | null> => {
    const known = seen.get(file)
    if (known !== undefined) return known
    if (seen.size >= most.paths) return null
    const found = await readNamedFile(top, file, most.bytes - bytes)
    bytes += found?.bytes ?? 0
    seen.set(file, found)
    return found
  }
  return async (config) => {
    const named = config.type === "local" ? namedPaths(top, config) : null
    const files: ProgramFiles[number][] = []
    for (const { file } of named ?? []) {
      const found = await lookAt(file)
      if (found !== null && found.sha256 !== null) files.push({ file: found.real, sha256: found.sha256 })
    }
    return files
  }
}

/** The same for the servers and agents of configuration files, by their key; without those that name none. */
export type ServerPrograms = ReadonlyMap<string, ProgramFiles>

export function programsKey(file: string, server: string): string {
  return `${file}\0${server}`
}

export function agentProgramKey(file: string, agent: string): string {
  return `${file}\0agent\0${agent}`
}

export async function serverPrograms(top: string, parsed: readonly ParsedSource[]): Promise<ServerPrograms> {
  const filesOf = createProgramFiles(top)
  const found = new Map<string, ProgramFiles>()
  for (const { source, config } of parsed) {
    for (const [name, entry] of Object.entries(config?.mcp ?? {})) {
      const files = "type" in entry ? await filesOf(entry) : []
      if (files.length > 0) found.set(programsKey(source.file, name), files)
    }
    for (const [name, { acp }] of Object.entries(config?.agent ?? {})) {
      const files =
        acp === undefined ? [] : await filesOf({ type: "local", command: [acp.command, ...(acp.args ?? [])] })
      if (files.length > 0) found.set(agentProgramKey(source.file, name), files)
    }
  }
  return found
}
