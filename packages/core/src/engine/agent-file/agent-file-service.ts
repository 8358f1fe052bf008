import type { Agent, AgentForm } from "../../ground/schema/index.ts"
import type { ExplainedAgent } from "../../setup/agent/explain-agents.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import type { DefinitionOrigin } from "../../setup/config/definition-places.ts"

/** Whose a file is: the project's, or the user's own, which counts in every project and without trust. */
export type AgentFileOwner = "project" | "user"

/** A file that an agent is made of. */
export interface AgentSource {
  /** Absolute. */
  file: string
  /** Where the agent begins in it; 1-based. */
  line: number
  /** `json`: an entry of a docket.json, which is changed there. */
  format: "markdown" | "json"
  origin: DefinitionOrigin
  owner: AgentFileOwner
}

/** An agent with all that it is made of. */
export interface DefinedAgent
  extends ExplainedAgent,
    Pick<Agent, "hidden" | "variant" | "temperature" | "topP" | "steps" | "color"> {
  /** Switched off in a file: nobody is offered it. */
  disabled: boolean
  /** Why its model cannot be used now; null when it can, or none is named. */
  modelProblem: string | null
  /** Lowest priority first. */
  sources: AgentSource[]
  problems: ConfigProblem[]
}

/** The agents of a project, and what of its files does not count. */
export interface AgentOverview {
  agents: DefinedAgent[]
  /** Agents of the project that wait for the user's trust, each with its file. */
  waiting: { name: string; file: string; line: number }[]
  /** Of agents' files that no agent above is made of. */
  problems: ConfigProblem[]
}

/** The text of an agent's Markdown file as it is now. */
export interface AgentFileText {
  file: string
  text: string
  /** Stands for the text (SHA-256, hex): a change names what it changes. */
  hash: string
}

/** A text that is not saved yet, as it would be read. */
export interface AgentDraft {
  text: string
  /** Null where the text has no form: it cannot be read, or it is written for Claude Code. */
  form: AgentForm | null
  problems: ConfigProblem[]
}

/** What became of a change. */
export interface AgentFileChange {
  file: string
  /** Whether the agent counts; false where the project waits for the user's trust anyhow. */
  counts: boolean
}

export interface AgentFileService {
  overview(projectID: string): Promise<AgentOverview>
  /** @throws agent_not_found when it is no agent's file of this project or this user, or gone */
  read(projectID: string, file: string): Promise<AgentFileText>
  /** How a text would be read; with `form`, after these settings were written into it. Nothing is stored. */
  draft(input: {
    name: string
    origin: DefinitionOrigin
    text: string
    form?: AgentForm | undefined
  }): Promise<AgentDraft>
  /**
   * Writes a new agent's file.
   * @param input.replaces the name may be that of an agent that there is: this one then counts in its place
   * @throws invalid_input for a name that is none or taken, config_changed when the file is there, file_not_written
   */
  create(input: {
    projectID: string
    owner: AgentFileOwner
    name: string
    text: string
    replaces: boolean
  }): Promise<AgentFileChange>
  /** @throws agent_not_found, config_changed when the file is not as `hash` says: nothing is written; file_not_written */
  update(input: { projectID: string; file: string; hash: string; text: string }): Promise<AgentFileChange>
  /** @throws as `update` */
  remove(input: { projectID: string; file: string; hash: string }): Promise<AgentFileChange>
}
