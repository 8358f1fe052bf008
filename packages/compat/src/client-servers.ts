import { entryProblem, type ReadServer } from "@docket/core/read-mcp-file"
import { McpServerConfig } from "@docket/core/schema"
import { z } from "zod"

const Texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))

/**
 * A server in the words of Cursor, VS Code, Gemini, Windsurf or Claude Desktop, who share most of them: one that only some of
 * them know means the same to all.
 */
const Entry = z.object({
  type: z.enum(["stdio", "http", "sse", "streamable-http", "streamableHttp"]).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  env: Texts.optional(),
  cwd: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  /** Gemini's, for what it calls streamable HTTP; its `url` without a type may be either. */
  httpUrl: z.string().min(1).optional(),
  /** Windsurf's. */
  serverUrl: z.string().min(1).optional(),
  headers: Texts.optional(),
  timeout: z.number().positive().optional(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  includeTools: z.array(z.string().min(1)).optional(),
  excludeTools: z.array(z.string().min(1)).optional(),
  disabledTools: z.array(z.string().min(1)).optional(),
})
type Entry = z.infer<typeof Entry>
const knownKeys = new Set(Object.keys(Entry.shape))

/** A shorter one is no time-out (ms). */
const leastTimeout = 1_000

/** Reads a server of another client's JSON file. */
export function readClientServer(given: unknown): ReadServer {
  return readServer(given, /\$\{(?:env:)?([A-Za-z_]\w*)\}/g)
}

/** The same for Gemini, who also writes a variable as `$NAME`. */
export function readGeminiServer(given: unknown): ReadServer {
  return readServer(given, /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g)
}

/** `variable` captures the name of a variable, in its first or second group. */
function readServer(given: unknown, variable: RegExp): ReadServer {
  const entry = Entry.safeParse(given)
  if (!entry.success) return { problem: entryProblem(entry.error) }
  const { type, command, url, httpUrl, serverUrl } = entry.data
  const address = httpUrl ?? url ?? serverUrl
  const isLocal = type === "stdio" || (type === undefined && command !== undefined)
  if (isLocal && command === undefined) return { problem: 'it has no "command"' }
  if (!isLocal && address === undefined) return { problem: 'it has neither "command" nor "url"' }
  const written = { ...(isLocal ? localOf(entry.data) : remoteOf(entry.data, address)), ...commonOf(entry.data) }
  const strange = strangeVariable(written)
  if (strange !== null)
    return { problem: `${strange} is filled in only by the program that the file is for. Add it by hand` }
  const config = McpServerConfig.safeParse(withVariables(written, variable))
  if (!config.success) return { problem: entryProblem(config.error) }
  const ignored = Object.entries(Object(given)).filter(([key, value]) => !knownKeys.has(key) && saysSomething(value))
  return { config: config.data, ignored: ignored.map(([key]) => key) }
}

function localOf({ command, args, env, cwd }: Entry): object {
  return {
    ...{ type: "local", command: [command, ...args] },
    ...(cwd !== undefined && { cwd }),
    ...(env && { environment: env }),
  }
}

function remoteOf({ type, httpUrl, headers }: Entry, url: string | undefined): object {
  const transport = type === "sse" && httpUrl === undefined ? "sse" : "http"
  return {
    ...{ type: "remote", url },
    ...(headers && { headers }),
    ...((type !== undefined || httpUrl !== undefined) && { transport }),
  }
}

function commonOf({ timeout, disabled, enabled, includeTools, excludeTools, disabledTools }: Entry): object {
  const left = [...(excludeTools ?? []), ...(disabledTools ?? [])].map(toolName)
  return {
    ...((disabled === true || enabled === false) && { enabled: false }),
    ...(timeout !== undefined && timeout >= leastTimeout && { timeout: Math.round(timeout) }),
    ...(includeTools && { enabled_tools: includeTools.map(toolName) }),
    ...(left.length > 0 && { disabled_tools: left }),
  }
}

/** Gemini may write a tool with patterns of its arguments, `name(pattern)`; here it is meant whole. */
function toolName(text: string): string {
  return text.replace(/\(.*\)$/s, "")
}

/** With Docket's references in place of the client's. */
function withVariables(value: unknown, variable: RegExp): unknown {
  if (typeof value === "string")
    return value.replace(variable, (_, name: string | undefined, bare: unknown) => `{env:${name ?? bare}}`)
  if (Array.isArray(value)) return value.map((item) => withVariables(item, variable))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withVariables(item, variable)]))
}

/** What an entry refers to besides variables: `${input:key}`, `${workspaceFolder}`; null where nothing. */
function strangeVariable(value: unknown): string | null {
  const places = new Set(["userHome", "workspaceFolder", "workspaceFolderBasename", "pathSeparator", "extensionPath"])
  for (const [whole, name = ""] of JSON.stringify(value).matchAll(/\$\{([^{}"]*)\}/g))
    if (places.has(name) || !/^(?:env:)?[A-Za-z_]\w*$/.test(name)) return whole
  return null
}

/** What is off or empty changes nothing where it does not count. */
function saysSomething(value: unknown): boolean {
  return value !== false && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)
}
