import type { Node, ParseError } from "jsonc-parser"
import { z } from "zod"
import { McpName, McpServerConfig } from "../../ground/schema/mcp-config.ts"
import { escapedName } from "../../ground/schema/plain-name.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { jsonValue, nodesAt, properties, textPosition } from "../config/json-tree.ts"
import { syntaxMessage } from "../config/parse-config-text.ts"
import { readJsonTree } from "../config/read-json-tree.ts"

/** A server in the words of Claude Code, which other clients use too. */
const Entry = z.object({
  type: z.enum(["stdio", "http", "sse", "streamable-http"]).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  url: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  timeout: z.number().optional(),
})

/** Claude Code takes a shorter one for a mistake (ms). */
const leastTimeout = 1_000

/** A server of a file in the form of `.mcp.json`, its `${NAME}` not filled in. */
export interface McpFileServer {
  name: string
  config: McpServerConfig
  line: number
  column: number
}

interface McpFile {
  servers: McpFileServer[]
  problems: ConfigProblem[]
}

/** A server in Docket's words, with the keys of its entry that say nothing here; or why there is none. */
export type ReadServer = { config: McpServerConfig; ignored?: readonly string[] } | { problem: string }

interface McpFileForm {
  /** The key of the map of servers. */
  key: string
  read(entry: unknown): ReadServer
}

/**
 * Reads the servers of a text in the form of `.mcp.json`, or in that of another client. Each that is wrong is reported with
 * its place; the others count, also beside an error of the syntax.
 */
export function readMcpFile(
  file: string,
  text: string,
  { key, read: readEntry }: McpFileForm = { key: "mcpServers", read: readMcpEntry },
): McpFile {
  const errors: ParseError[] = []
  const tree = readJsonTree(text, errors)
  const problems = errors
    .slice(0, 5)
    .map(({ error, offset }) => ({ file, ...textPosition(text, offset), message: `${syntaxMessage(error)}.` }))
  const isBroken = (node: Node) =>
    errors.some(({ offset }) => offset >= node.offset && offset <= node.offset + node.length)
  const servers = new Map<string, McpFileServer>()
  const maps = tree === undefined ? [] : nodesAt(tree, [key])
  for (const { key: name, value: node } of maps.flatMap(properties)) {
    if (node === undefined || name === "__proto__" || isBroken(node)) continue
    const position = textPosition(text, node.offset)
    const read = readEntry(jsonValue(node).value)
    const named = McpName.safeParse(name)
    const shown = escapedName(name.slice(0, 64))
    if ("problem" in read || !named.success) {
      const why = "problem" in read ? read.problem : nameProblem(named.error)
      problems.push({ file, ...position, message: `The MCP server "${shown}" is left out: ${why}.` })
      continue
    }
    servers.set(name, { name, config: read.config, ...position })
    const ignored = (read.ignored ?? []).map((one) => `"${one}"`).join(", ")
    if (ignored !== "")
      problems.push({
        file,
        ...position,
        message: `Of the MCP server "${shown}", ${ignored} does not count in Docket.`,
      })
  }
  return { servers: [...servers.values()], problems }
}

function nameProblem(error: z.ZodError | undefined): string {
  const isLong = error?.issues.some(({ code }) => code === "too_big")
  return isLong ? "its name is longer than 64 characters" : (error?.issues[0]?.message ?? "its name cannot be read")
}

function readMcpEntry(value: unknown): ReadServer {
  const entry = Entry.safeParse(value)
  if (!entry.success) return { problem: entryProblem(entry.error) }
  const { type, command, args = [], env, url, headers, timeout: given } = entry.data
  const timeout = given !== undefined && given >= leastTimeout ? { timeout: Math.round(given) } : {}
  const isLocal = type === "stdio" || (type === undefined && command !== undefined)
  if (isLocal && command === undefined) return { problem: 'it has no "command"' }
  if (!isLocal && url === undefined) return { problem: 'it has neither "command" nor "url"' }
  const config = McpServerConfig.safeParse(
    isLocal
      ? { type: "local", command: [command, ...args], ...(env && { environment: env }), ...timeout }
      : {
          ...{ type: "remote", url, ...timeout },
          ...(headers && { headers }),
          ...(type !== undefined && { transport: type === "sse" ? "sse" : "http" }),
        },
  )
  return config.success ? { config: config.data } : { problem: entryProblem(config.error) }
}

/** What is wrong with an entry, in words. */
export function entryProblem({ issues: [first] }: z.ZodError): string {
  const place = first?.path.map(String).join(".")
  return place ? `"${place}": ${first?.message}` : (first?.message ?? "it cannot be read")
}
