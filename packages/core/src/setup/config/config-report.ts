import type { PermissionConfig } from "../../ground/schema/index.ts"
import type { AgentConfig, Config } from "./schema.ts"

/** Where a config value came from and what is wrong with it. */
export interface ConfigProblem {
  file: string
  /** 1-based; null when the whole file cannot be read. */
  line: number | null
  column: number | null
  message: string
  /** Trusting the project solves it: it is one of the `trust.entries` that do not count. */
  waits?: true
}

export interface ConfigReport {
  config: Config
  /** Files that were read, lowest priority first. */
  files: string[]
  problems: ConfigProblem[]
  /** Rights that are withheld because the text that sets them cannot be read. */
  closures: Closure[]
  trust: ProjectTrust
}

/**
 * - `nothing`: the project brings nothing that waits for the user's trust. It can be trusted all the same, so that its own
 *   programs may run.
 * - `untrusted`: it does, and only its stricter permissions count.
 * - `trusted`: exactly its present content is trusted, and counts.
 * - `changed`: other content was trusted. Files beside the configuration that are as they were still count, and so does
 *   the configuration where all of it is as it was.
 */
export type ConfigTrustState = "nothing" | "untrusted" | "trusted" | "changed"

/** Whether the user trusts what a project's own files configure. */
export interface ProjectTrust {
  state: ConfigTrustState
  /** Real path of the directory that is trusted, the project's worktree; null without a project. */
  directory: string | null
  /** Digest of the directory and everything that it provides; null without a project. */
  hash: string | null
  /** Everything that the project's files set, in the order in which they are read. */
  entries: ConfigEntry[]
}

/** `permission-restricts` (ask, deny) counts always. Everything else counts only with the user's trust. */
export type ConfigEntryKind =
  | "permission-allows"
  | "permission-restricts"
  | "provider"
  | "model"
  | "agent"
  | "instructions"
  | "command"
  | "skill"
  | "instruction-file"
  | "tool"
  | "mcp-server"
  | "plugin"
  | "hook"
  | "other"

/** A setting of a project's configuration. */
export interface ConfigEntry {
  file: string
  /** 1-based. */
  line: number
  column: number
  /** Keys on the way to it. */
  path: string[]
  /** As written, cut after 200 characters, without references filled in. A key written in full is left out. */
  value: string
  /** The rest of a value that was cut, at most 20,000 characters. */
  rest: string | null
  kind: ConfigEntryKind
  /** The effect, when the value alone does not show it: who receives keys, what is read. */
  note: string | null
  /** The user has trusted exactly this in this directory, perhaps as part of other content. */
  known: boolean
  /** The setting applies: it is trusted, or only makes permissions stricter. */
  counts: boolean
}

/**
 * Rights that are withheld because the text that sets them cannot be read. While a closure exists, everything that it
 * covers needs a question, whatever other files say.
 */
export interface Closure {
  /** The agent that it covers; null is every agent. */
  agent: string | null
  /** The denials that can still be read. */
  deny: PermissionConfig
  /** Why no session may run by the agent at all; null when it may, with questions. */
  unusable: string | null
}

/** Everything that `agent` does is asked; null is every agent. */
export function askingFor(agent: string | null, deny: PermissionConfig = {}): Closure {
  return { agent, deny, unusable: null }
}

/** Permission rules that nothing may exceed, whatever the merged configuration allows. */
export interface ConfigCeiling {
  rules: { permission?: Config["permission"]; agent?: Record<string, Pick<AgentConfig, "permission" | "tools">> }
  /** `denials`: only what it denies counts, and all else is left open. */
  only: "all" | "denials"
}

/** The permission rules of a config as a ceiling. */
export function configCeiling({ permission, agent = {} }: Config, only: ConfigCeiling["only"]): ConfigCeiling {
  const agents = Object.entries(agent).flatMap(([name, { permission, tools }]) =>
    permission || tools ? [[name, { ...(permission && { permission }), ...(tools && { tools }) }] as const] : [],
  )
  return { rules: { ...(permission && { permission }), agent: Object.fromEntries(agents) }, only }
}
