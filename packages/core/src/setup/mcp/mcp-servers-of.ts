import { type McpConfig, type McpServer, McpServerConfig, mergeMcp } from "../../ground/schema/mcp-config.ts"
import type { CountingSource } from "../config/loaded-config.ts"
import { mcpNotes, mcpVariable } from "../config/mcp-notes.ts"
import { programsKey, type ServerPrograms } from "../config/program-files.ts"
import type { JudgedFile } from "../config/provided-file.ts"

export { mcpNotes }

/** What was read of the configuration, as far as it counts. */
interface Readings {
  sources: readonly CountingSource[]
  provided: readonly JudgedFile[]
  /** See `LoadedConfig`. */
  programs: ServerPrograms
  /** Servers that other programs of the user have. */
  otherServers: readonly Pick<McpServer, "name" | "config" | "file" | "line">[]
}

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The servers that count, by name: the user's own, those of a trusted project above them, and what is set for this service
 * above all. `${NAME}` of `.mcp.json` is filled in; a variable that is not set stays as it is written.
 * @param env null where the project reads none of the service's variables
 */
export function mcpServersOf(
  { sources, provided, programs, otherServers }: Readings,
  env: Variables | null,
): McpServer[] {
  const ofProject = provided.flatMap(({ kind, trusted, name, file, text, beside = [] }): Layer[] => {
    if (kind !== "mcp-server" || !trusted) return []
    const config = McpServerConfig.parse(fillIn(JSON.parse(text), env))
    return [{ config: { [name]: config }, scope: "project", file, line: () => null, filesOf: () => beside }]
  })
  const ofOthers = otherServers.map(({ name, config, file, line }): Layer => {
    const filledIn = McpServerConfig.parse(fillIn(config, env))
    return { config: { [name]: filledIn }, scope: "user", needsConsent: true, file, line: () => line }
  })
  const layers = [
    ...ofOthers,
    ...sources.filter(({ layer }) => layer === "user").map((source) => toLayer(source, programs)),
    ...ofProject,
    ...sources.filter(({ layer }) => layer !== "user").map((source) => toLayer(source, programs)),
  ]
  const from = new Map<string, Layer>()
  let merged: McpConfig = {}
  for (const layer of layers) {
    merged = mergeMcp(merged, layer.config)
    for (const [name, entry] of Object.entries(layer.config)) if ("type" in entry) from.set(name, layer)
  }
  return Object.entries(merged).flatMap(([name, entry]): McpServer[] => {
    const origin = from.get(name)
    if (!("type" in entry) || origin === undefined) return []
    const { scope, file, needsConsent, filesOf = () => [] } = origin
    const files = new Map(filesOf(name).map((one) => [one.file, one.sha256]))
    return [
      {
        ...{ name, config: entry, scope, file, line: origin.line(name), files },
        ...(needsConsent && { needsConsent }),
      },
    ]
  })
}

interface Layer {
  config: McpConfig
  scope: McpServer["scope"]
  needsConsent?: true
  file: string
  line(name: string): number | null
  /** The files of the project that a server's command names. */
  filesOf?(name: string): NonNullable<JudgedFile["beside"]>
}

function toLayer({ config, layer, file, place }: CountingSource, programs: ServerPrograms): Layer {
  return {
    config: config.mcp ?? {},
    scope: layer === "project" ? "project" : "user",
    file,
    line: (name) => place(["mcp", name]).line,
    filesOf: (name) => programs.get(programsKey(file, name)) ?? [],
  }
}

function fillIn(value: unknown, env: Variables | null): unknown {
  if (typeof value === "string")
    return value.replace(mcpVariable, (whole, name: string, usual?: string) => env?.[name] ?? usual ?? whole)
  if (Array.isArray(value)) return value.map((item) => fillIn(item, env))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, env)]))
}
