import type { Agent, AgentForm } from "../../ground/schema/index.ts"
import type { ExplainedAgent } from "../../setup/agent/explain-agents.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import type { DefinitionOrigin } from "../../setup/config/definitions.ts"

/** The owner of a file: the project, or the user. The user's own file applies to every project and needs no trust. */
export type AgentFileOwner = "project" | "user"

/** A file that defines an agent or a part of it. */
export interface AgentSource {
  /** Absolute. */
  file: string
  /** The line where the agent begins; 1-based. */
  line: number
  /** `json`: an entry in a docket.json, to be edited there. `plugin`: a plugin, or the file that names it, sets it. */
  format: "markdown" | "json" | "plugin"
  origin: DefinitionOrigin
  owner: AgentFileOwner
}

/** An agent with all files that define it. */
export interface DefinedAgent
  extends ExplainedAgent,
    Pick<Agent, "hidden" | "variant" | "temperature" | "topP" | "steps" | "color"> {
  /** Switched off in a file: the agent is not available. */
  disabled: boolean
  /** Why its model cannot be used now; null when it can be used or none is set. */
  modelProblem: string | null
  /** Lowest priority first. */
  sources: AgentSource[]
  problems: ConfigProblem[]
}

/** The agents of a project, and the files that do not apply. */
export interface AgentOverview {
  agents: DefinedAgent[]
  /** Agents of the project that wait for the user's trust, each with its file. */
  waiting: { name: string; file: string; line: number }[]
  /** Problems in agent files that define none of the agents above. */
  problems: ConfigProblem[]
}

/** The current text of an agent's Markdown file. */
export interface AgentFileText {
  file: string
  text: string
  /** SHA-256 of the text (hex). A change must name the text that it replaces. */
  hash: string
}

/** How an unsaved text would be read. */
export interface AgentDraft {
  text: string
  /** Null when the text has no form: it is invalid, or written for Claude Code. */
  form: AgentForm | null
  problems: ConfigProblem[]
}

/** The result of a change. */
export interface AgentFileChange {
  file: string
  /** Whether the agent applies; false while the project waits for the user's trust. */
  counts: boolean
}

export interface AgentFileService {
  overview(projectID: string): Promise<AgentOverview>
  /** @throws agent_not_found when it is not an agent file of this project or user, or was deleted */
  read(projectID: string, file: string): Promise<AgentFileText>
  /** How a text would be read. With `form`, these settings are written into it first. Nothing is stored. */
  draft(input: {
    name: string
    origin: DefinitionOrigin
    text: string
    form?: AgentForm | undefined
  }): Promise<AgentDraft>
  /**
   * Writes a new agent file.
   * @param input.replaces whether the name of an existing agent is allowed: the new agent then replaces it
   * @throws invalid_input for an invalid or taken name, config_changed when the file exists, file_not_written
   */
  create(input: {
    projectID: string
    owner: AgentFileOwner
    name: string
    text: string
    replaces: boolean
  }): Promise<AgentFileChange>
  /**
   * @throws agent_not_found, config_changed when the file no longer matches `hash` (nothing is written),
   * file_not_written
   */
  update(input: { projectID: string; file: string; hash: string; text: string }): Promise<AgentFileChange>
  /** @throws as `update` */
  remove(input: { projectID: string; file: string; hash: string }): Promise<AgentFileChange>
}
