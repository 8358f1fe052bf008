import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { escapedName, McpName, type McpServerConfig, McpServerConfig as Server } from "@docket/core/schema"
import { applyEdits, modify, type ParseError, parse } from "jsonc-parser"
import { UsageError } from "../usage-error.ts"

/**
 * Puts servers into a docket.json, which keeps its comments and everything else. A server that is there stays.
 * @returns the names that were there already
 * @throws UsageError for a file that cannot be read, or a name that no server may have
 */
export async function writeServers(file: string, servers: Record<string, McpServerConfig>): Promise<string[]> {
  for (const name of Object.keys(servers)) {
    const { error } = McpName.safeParse(name)
    if (error) throw new UsageError(`"${escapedName(name)}" is no name for a server: ${error.issues[0]?.message}`)
  }
  const before = await textOf(file)
  const errors: ParseError[] = []
  const value: unknown = parse(before, errors, { allowTrailingComma: true })
  if (errors.length > 0 || typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${file} is no valid JSON, so nothing was written`)
  const known = "mcp" in value && typeof value.mcp === "object" && value.mcp !== null ? Object.keys(value.mcp) : []
  let text = before
  for (const [name, server] of Object.entries(servers)) {
    if (known.includes(name)) continue
    const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" }
    text = applyEdits(text, modify(text, ["mcp", name], server, { formattingOptions }))
  }
  if (text !== before) {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text.endsWith("\n") ? text : `${text}\n`)
  }
  return Object.keys(servers).filter((name) => known.includes(name))
}

export interface AddOptions {
  url?: string
  transport?: "http" | "sse"
  env?: readonly string[]
  header?: readonly string[]
}

/**
 * Checks the name of a new server: it can be typed, in `/name:prompt`, `@name:address` and a shell. Names that other programs
 * gave may be longer texts.
 * @throws UsageError
 */
export function assertTypedName(name: string): void {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return
  throw new UsageError(
    `"${escapedName(name.slice(0, 64))}" is no name for a server: it begins with a letter or a digit, and has at most 64 letters, digits, "_", "-" and "."`,
  )
}

/** The server that a command line describes. @throws UsageError */
export function serverOf(
  command: readonly string[],
  { url, transport, env = [], header = [] }: AddOptions,
): McpServerConfig {
  if ((url === undefined) === (command.length === 0))
    throw new UsageError("name a program after --, or an address with --url")
  const pairs = (texts: readonly string[], separator: string) =>
    Object.fromEntries(
      texts.map((text) => {
        const at = text.indexOf(separator)
        if (at < 1) throw new UsageError(`write "${text}" as NAME${separator}value`)
        return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
      }),
    )
  const server = Server.safeParse(
    url === undefined
      ? { type: "local", command, ...(env.length > 0 && { environment: pairs(env, "=") }) }
      : {
          ...{ type: "remote", url },
          ...(transport !== undefined && { transport }),
          ...(header.length > 0 && { headers: pairs(header, ":") }),
        },
  )
  if (server.success) return server.data
  throw new UsageError(server.error.issues[0]?.message ?? "this is no server")
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}\n"
    throw error
  }
}
