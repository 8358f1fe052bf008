import { entryProblem } from "@docket/core/read-mcp-file"
import { escapedName, McpName, McpServerConfig } from "@docket/core/schema"
import { parse, TomlError } from "smol-toml"
import { z } from "zod"

/** What a file of Codex says of servers, and what is left out of it. */
export interface CodexServers {
  servers: { name: string; config: McpServerConfig }[]
  /** With the line (from 1), where it is known. */
  problems: { line: number | null; message: string }[]
}

const Texts = z.record(z.string(), z.string())
const Seconds = z.number().positive()
const Entry = z.object({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  env: Texts.default({}),
  /** Variables that are passed on. */
  env_vars: z.array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])).default([]),
  cwd: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  bearer_token_env_var: z.string().min(1).optional(),
  http_headers: Texts.default({}),
  /** Names of variables by names of headers. */
  env_http_headers: Texts.default({}),
  scopes: z.array(z.string()).default([]),
  enabled: z.boolean().optional(),
  required: z.boolean().optional(),
  startup_timeout_sec: Seconds.optional(),
  startup_timeout_ms: Seconds.optional(),
  tool_timeout_sec: Seconds.optional(),
  enabled_tools: z.array(z.string().min(1)).optional(),
  disabled_tools: z.array(z.string().min(1)).optional(),
  default_tools_approval_mode: z.enum(["auto", "prompt", "approve"]).optional(),
})
type Entry = z.infer<typeof Entry>
const knownKeys = new Set(Object.keys(Entry.shape))

const Servers = z.object({ mcp_servers: z.record(z.string(), z.unknown()).optional() })

/** Errors of the syntax after which the rest of a file is not read any more. */
const mostErrors = 20
/** Shorter ones are no time-out (ms). */
const leastTimeout = 1_000

/**
 * Reads the servers of a `config.toml` of Codex. A table with an error of the syntax is left out, with the line; those
 * around it count.
 */
export function readCodexServers(text: string): CodexServers {
  const { value, problems } = readTables(text)
  const named = Servers.safeParse(value)
  if (!named.success)
    return { servers: [], problems: [...problems, { line: null, message: "mcp_servers is no table." }] }
  const servers: CodexServers["servers"] = []
  for (const [name, given] of Object.entries(named.data.mcp_servers ?? {})) {
    const line = lineOf(text, name)
    const read = readEntry(given)
    const known = McpName.safeParse(name)
    if (typeof read === "string") problems.push({ line, message: leftOut(name, read) })
    else if (!known.success) problems.push({ line, message: leftOut(name, known.error.issues[0]?.message ?? "") })
    else {
      servers.push({ name, config: read.config })
      const keys = read.ignored.map((key) => `"${key}"`).join(", ")
      if (keys !== "")
        problems.push({ line, message: `Of the MCP server "${escapedName(name)}", ${keys} does not count in Docket.` })
    }
  }
  return { servers, problems }
}

function leftOut(name: string, why: string): string {
  return `The MCP server "${escapedName(name.slice(0, 64))}" is left out: ${why}.`
}

/** Parses what can be parsed: a table with an error is taken out, and the rest is read again. */
function readTables(text: string): { value: unknown; problems: CodexServers["problems"] } {
  const problems: CodexServers["problems"] = []
  const lines = text.split("\n")
  while (problems.length < mostErrors) {
    try {
      return { value: parse(lines.join("\n"), { unsafeKeyBehaviour: "drop" }), problems }
    } catch (error) {
      if (!(error instanceof TomlError)) throw error
      const why = error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "")
      problems.push({ line: error.line, message: `${why}. The table around it is left out.` })
      // Lines keep their numbers.
      const { from, to } = tableAround(lines, error.line - 1)
      lines.fill("", from, to)
    }
  }
  return { value: {}, problems }
}

/** The lines from the head of a table to the next one. */
function tableAround(lines: readonly string[], at: number): { from: number; to: number } {
  const isHead = (line: string) => /^\s*\[/.test(line)
  // An error that is found late belongs to the last text that is left.
  const last = lines.findLastIndex((line, index) => index <= at && line.trim() !== "")
  const from = Math.max(
    0,
    lines.findLastIndex((line, index) => index <= last && isHead(line)),
  )
  const next = lines.findIndex((line, index) => index > Math.max(last, from) && isHead(line))
  return { from, to: next === -1 ? lines.length : next }
}

/** The head of a table of a server, with its name in one of three forms. */
const headPattern = /^\s*\[\s*mcp_servers\s*\.\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*[.\]]/

/** The line of the first table of a server; null where it has none of its own. */
function lineOf(text: string, name: string): number | null {
  const at = text.split("\n").findIndex((line) => headPattern.exec(line)?.slice(1).includes(name))
  return at === -1 ? null : at + 1
}

/** The server in Docket's words, with the keys that say nothing here; or why there is none. */
function readEntry(given: unknown): { config: McpServerConfig; ignored: string[] } | string {
  const entry = Entry.safeParse(given)
  if (!entry.success) return entryProblem(entry.error)
  const { command, url } = entry.data
  if (command === undefined && url === undefined) return 'it has neither "command" nor "url"'
  const config = McpServerConfig.safeParse({
    ...(command !== undefined ? localOf(entry.data, command) : remoteOf(entry.data)),
    ...commonOf(entry.data),
  })
  if (!config.success) return entryProblem(config.error)
  return { config: config.data, ignored: Object.keys(Object(given)).filter((key) => !knownKeys.has(key)) }
}

function localOf({ args, env, env_vars, cwd }: Entry, command: string): object {
  const passed = Object.fromEntries(env_vars.map((name) => [name, `{env:${name}}`]))
  const environment = { ...passed, ...env }
  return {
    ...{ type: "local", command: [command, ...args] },
    ...(cwd !== undefined && { cwd }),
    ...(Object.keys(environment).length > 0 && { environment }),
  }
}

function remoteOf({ url, bearer_token_env_var: token, http_headers, env_http_headers, scopes }: Entry): object {
  const fromVariables = Object.entries(env_http_headers).map(([header, name]) => [header, `{env:${name}}`])
  const headers = {
    ...http_headers,
    ...Object.fromEntries(fromVariables),
    ...(token !== undefined && { Authorization: `Bearer {env:${token}}` }),
  }
  return {
    ...{ type: "remote", url },
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(scopes.length > 0 && { oauth: { scope: scopes.join(" ") } }),
  }
}

/** `auto` is what Docket does where nothing is set: tools that say that they only read are believed. */
const permissions = { auto: undefined, prompt: "ask", approve: "allow" } as const

function commonOf(entry: Entry): object {
  const { enabled, required, enabled_tools, disabled_tools, default_tools_approval_mode: mode } = entry
  const start = entry.startup_timeout_ms ?? toMs(entry.startup_timeout_sec)
  const call = toMs(entry.tool_timeout_sec)
  const permission = mode && permissions[mode]
  return {
    ...(enabled === false && { enabled }),
    ...(required && { required }),
    ...(start !== undefined && { start_timeout: atLeast(start) }),
    ...(call !== undefined && { timeout: atLeast(call) }),
    ...(enabled_tools && { enabled_tools }),
    ...(disabled_tools && { disabled_tools }),
    ...(permission && { permission }),
  }
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000
}

function atLeast(ms: number): number {
  return Math.max(leastTimeout, Math.round(ms))
}
