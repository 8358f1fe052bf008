import type { Glance } from "../../ground/file/glance.ts"
import type { ConfigTrust, HooksConfig, Repository } from "../../ground/schema/index.ts"
import type { ConfigCeiling, ConfigReport } from "./config-report.ts"
import type { TextPosition } from "./json-tree.ts"
import type { Denial, OtherFile, OtherServers } from "./other-programs.ts"
import type { ServerPrograms } from "./program-files.ts"
import type { FindProvidedFiles, JudgedFile } from "./provided-file.ts"
import type { OverrideInput } from "./read-config-sources.ts"
import type { Config } from "./schema.ts"
import type { SeenProject } from "./seen-project.ts"

export interface LoadConfigInput extends OverrideInput {
  /** Null for the user's own configuration alone. */
  project: {
    /** Where the session works; its docket.json wins. */
    directory: string
    /** The git top level, or the directory itself: the upward search ends here. */
    worktree: string
    /** Whose trust holds wherever its files are. */
    repository?: Repository | undefined
  } | null
  /**
   * Whether several people share the service. Then a project may not read anything of the machine or redirect keys,
   * even when it is trusted.
   */
  isShared?: boolean | undefined
  /** Find what else the project provides: commands, skills, instructions. */
  finders?: readonly FindProvidedFiles[]
  /** Names of the files that define tools, the user's own and the project's. */
  toolFileNames?: ((project: SeenProject | null, userGlance: Glance) => Promise<readonly string[]>) | undefined
  /** The content that the user trusts in a directory. */
  trustedIn(directory: string): Promise<Pick<ConfigTrust, "hash" | "entries">[]>
}

export interface LoadedConfig extends ConfigReport {
  ceilings: ConfigCeiling[]
  /** Of each configuration file the SHA-256 (hex) of the text that was read. */
  texts: ReadonlyMap<string, string>
  /** The files that the project provides besides its configuration; each applies when it is trusted. */
  provided: JudgedFile[]
  /**
   * Hooks of the project that the user trusted in another form, and that wait until they are looked at again. They do not run,
   * and what they guarded stays closed.
   */
  heldHooks: { file: string; name: string | null; hooks: HooksConfig }[]
  /** MCP servers of the project's configuration, which wait for trust. */
  heldServers: { name: string; file: string; line: number; notes: string[] }[]
  /** Digests of the configuration as a whole, then of each entry of `trust`, then of the files that have hooks. */
  digests: string[]
  /** Where settings usually lie, whether the file is there or not: the user's own, then the project's. Absolute. */
  usualFiles: string[]
  /** The settings of each file that applies, filled in, lowest priority first. */
  sources: CountingSource[]
  /** The denials in the project's settings for other programs; they apply without trust. */
  denials: Denial[]
  /** The files that commands of the project's MCP servers name, as they were read with its configuration. */
  programs: ServerPrograms
  /** MCP servers that other programs of the user have. */
  otherServers: OtherServers["servers"]
  /** Files of other programs in the project, and what happens to each. */
  others: OtherFile[]
}

/** Where a value comes from: the user's files, the project's files, or settings for this service only. */
export type ConfigLayer = "user" | "project" | "environment" | "command-line"

/** A configuration file that counts, or settings from elsewhere. */
export interface CountingSource {
  file: string
  layer: ConfigLayer
  /** The settings of the file, filled in. */
  config: Config
  /** The same as it is written. */
  written: Config
  /** Where the value at a path of `written` stands. */
  place(path: readonly string[]): TextPosition
  /** The agent that a Markdown file defines; null for docket.json, whose entries change what others define. */
  defines: string | null
}

/** The environment that a project's configuration may refer to; null for none. */
export function projectEnv({
  env,
  isShared,
}: Pick<LoadConfigInput, "env" | "isShared">): LoadConfigInput["env"] | null {
  return isShared ? null : env
}
