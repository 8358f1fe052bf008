import type { ExtensionPlace } from "@docket/core/extension-host"
import type { AcpConfig } from "@docket/core/schema"
import { agentProgramKey } from "@docket/core/server-programs"

/** The entry of an agent, with who wrote it. */
export interface AgentEntry {
  config: AcpConfig
  scope: "user" | "project"
  /** SHA-256 (hex) of the project's files that its command names, by real path, as the user trusted them. */
  files: ReadonlyMap<string, string>
}

/** What an agent's `acp` says in the file that decides. @throws Error when there is none */
export function agentEntry({ sources, programs }: ExtensionPlace, agent: string): AgentEntry {
  const source = sources.findLast(({ config }) => config.agent?.[agent]?.acp !== undefined)
  const config = source?.config.agent?.[agent]?.acp
  if (source === undefined || config === undefined)
    throw new Error(`The agent "${agent}" has no program any more: agent.${agent}.acp is not in docket.json.`)
  const files = (programs.get(agentProgramKey(source.file, agent)) ?? []).map(
    ({ file, sha256 }) => [file, sha256] as const,
  )
  return { config, scope: source.layer === "project" ? "project" : "user", files: new Map(files) }
}
