import type { McpServer } from "../../ground/schema/mcp-config.ts"
import type { Closure, ConfigProblem } from "./config-report.ts"
import type { DefiningUser, DefinitionOrigin } from "./definitions.ts"
import type { TextPosition } from "./json-tree.ts"
import type { FindProvidedFiles, JudgedFile } from "./provided-file.ts"
import type { Fault } from "./read-agent.ts"
import type { SeenProject } from "./seen-project.ts"

/** Reads the configuration of other programs. It is passed to the loader: core knows none of these programs. */
export interface OtherPrograms {
  /** Files with settings of the user's own, lowest priority first. They count where none of Docket's is there. */
  userSettings(user: DefiningUser): string[]
  /** The same in a directory of a project. */
  projectSettings(directory: string): string[]
  /** Their MCP servers of the user's own, for a project those too that they keep for it. */
  userServers(user: DefiningUser, project: { worktree: string } | null): Promise<OtherServers>
  /** Null when the file is none of theirs. */
  translateSettings(file: string, value: Record<string, unknown>): TranslatedSettings | null
  /** The frontmatter of an agent; null where it is in Docket's own words. */
  translateAgent(origin: DefinitionOrigin, frontmatter: Record<string, unknown>): TranslatedAgent | null
  /** Finds the hooks that a project sets for other programs: they count once the project is trusted. */
  findHooks: FindProvidedFiles
  /** The hooks that the user set for other programs, one item a file; they run once the user wants them here, too. */
  ownHooks(user: Pick<DefiningUser, "home">): ReturnType<FindProvidedFiles>
  /** @param levels directories from the project's top down to the one that is opened, as they are named */
  readProject(levels: readonly string[], place: ReadProject): Promise<OtherSetup>
}

/** A project whose files for other programs are read. */
export interface ReadProject extends Pick<SeenProject, "worktree" | "top" | "glance"> {
  home: string
}

export interface OtherServers {
  servers: Pick<McpServer, "name" | "config" | "file" | "line">[]
  problems: ConfigProblem[]
}

/** Settings in the keys of docket.json. Rights are never wider, and what is wrong stays wrong, to be reported. */
export interface TranslatedSettings {
  value: Record<string, unknown>
  /** The settings that are not taken over, by their keys in the file. */
  left: Fault[]
  /** The keys in the file that a place of `value` comes from. */
  origin(path: readonly string[]): string[]
}

export interface TranslatedAgent {
  settings: Record<string, unknown>
  /** The keys of settings that have another key in the file. */
  renamed: Readonly<Record<string, string>>
  /** One problem for each setting that cannot be taken over. */
  faults: Fault[]
}

/**
 * What a project's files for other programs add. It counts without trust, because it only makes permissions stricter.
 */
export interface OtherSetup {
  denials: Denial[]
  problems: ConfigProblem[]
  /** Rights that are withheld because a file cannot be read. */
  closures: Closure[]
  /** @param provided what the project brings for Docket; it may name files of other programs */
  files(provided: readonly JudgedFile[]): Promise<OtherFile[]>
}

/** A rule of Docket that a file of another program sets. */
export interface Denial extends TextPosition {
  file: string
  permission: string
  pattern: string
}

/** A file or a directory by which a project sets up another program. */
export interface OtherFile {
  /** Absolute. */
  file: string
  /** `denials`: only what it denies counts. `waits`: it counts once the project is trusted. */
  state: "used" | "denials" | "waits" | "ignored"
  /** A sentence about how the file or setting is used. */
  words: string
}
