import { createHash } from "node:crypto"
import path from "node:path"
import { readWithin } from "../../ground/file/read-within.ts"
import type { McpServerConfig } from "../../ground/schema/mcp-config.ts"
import type { ParsedSource } from "./parse-config-source.ts"
import type { ProvidedFile } from "./provided-file.ts"

/** Files of a command that are looked at, and bytes of each. */
const mostLooked = { words: 20, bytes: 1024 * 1024 } as const

type ProgramFiles = NonNullable<ProvidedFile["beside"]>

/** The files of the project that a server's command names: what they are is trusted with it. */
export async function programFiles(top: string, config: McpServerConfig): Promise<ProgramFiles> {
  if (config.type !== "local") return []
  const from = path.resolve(top, config.cwd ?? ".")
  const words = config.command.slice(0, mostLooked.words)
  const looked = words.map(async (word) => {
    try {
      const { real, bytes, size } = await readWithin(top, path.resolve(from, word), mostLooked.bytes)
      return size > mostLooked.bytes ? [] : [{ file: real, sha256: createHash("sha256").update(bytes).digest("hex") }]
    } catch {
      // Most words are no files.
      return []
    }
  })
  return (await Promise.all(looked)).flat()
}

/** The same for the servers of configuration files, by file and name of the server; without those that name none. */
export type ServerPrograms = ReadonlyMap<string, ProgramFiles>

export function programsKey(file: string, server: string): string {
  return `${file}\0${server}`
}

export async function serverPrograms(top: string, parsed: readonly ParsedSource[]): Promise<ServerPrograms> {
  const servers = parsed.flatMap(({ source, config }) =>
    Object.entries(config?.mcp ?? {}).flatMap(([name, entry]) =>
      "type" in entry ? [{ key: programsKey(source.file, name), entry }] : [],
    ),
  )
  const found = await Promise.all(servers.map(async ({ key, entry }) => [key, await programFiles(top, entry)] as const))
  return new Map(found.filter(([, files]) => files.length > 0))
}
