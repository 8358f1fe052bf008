import type { LspConfig } from "@docket/core/schema"
import { type ServerDefinition, serverDefinitions } from "./server-definitions.ts"

/** A server of a project: a built-in definition, as the configuration changes it, or one of the configuration. */
export interface ConfiguredServer extends ServerDefinition {
  /** The command of the configuration; null for the programs of the definition. */
  command: readonly string[] | null
  isDisabled: boolean
}

/** The servers of a project by its `lsp` configuration; with `false`, all are disabled. */
export function configuredServers(config: LspConfig | undefined): ConfiguredServer[] {
  const isOff = config === false
  const entries = typeof config === "object" ? config : {}
  const builtIn = serverDefinitions.map((definition) => changed(definition, entries[definition.id] ?? {}, isOff))
  const known = new Set(serverDefinitions.map(({ id }) => id))
  const own = Object.entries(entries).flatMap(([id, entry]) =>
    // Configuration without a command is reported as a problem of the configuration.
    known.has(id) || entry.command === undefined
      ? []
      : [changed({ id, extensions: [], programs: [], markers: [] }, entry, isOff)],
  )
  return [...builtIn, ...own]
}

type Entry = Exclude<LspConfig, boolean>[string]

function changed(definition: ServerDefinition, entry: Entry, isOff: boolean): ConfiguredServer {
  const { command, extensions, env, initialization, disabled = false } = entry
  return {
    ...definition,
    ...(extensions && { extensions: extensions.map((one) => (one.startsWith(".") ? one : `.${one}`)) }),
    ...(env && { env: { ...definition.env, ...env } }),
    ...(initialization && { initialization: { ...definition.initialization, ...initialization } }),
    command: command ?? null,
    isDisabled: isOff || disabled,
  }
}
