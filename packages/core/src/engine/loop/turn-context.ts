import type {
  Agent,
  ModelRef,
  PermissionRuleset,
  Project,
  Session,
  Turn,
  UserMessage,
} from "../../ground/schema/index.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { ProjectBrings } from "../../setup/instruction/instructions.ts"
import type { Skill } from "../../setup/skill/skill.ts"
import type { Transcript } from "./transcript.ts"
import type { TurnWriter } from "./turn-writer.ts"
import type { Work } from "./work.ts"

/** One running turn. `session`, `agent` and `model` are those of this turn. */
export interface TurnContext {
  turn: Turn
  session: Session
  project: Project
  /** It works in a git worktree of its own: nothing of the project changes before that is merged. */
  apart: boolean
  config: Config
  brought: ProjectBrings
  /** Those that its agent may load. */
  skills: Skill[]
  agents: Agent[]
  agent: Agent
  /** Rules of the agent and the session; and of each session above. */
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
  /** Rules that another agent may not exceed either, whatever its own say. */
  ceilingsOf(agent: string): PermissionRuleset[]
  model: ModelRef
  /** The variant of the model that was chosen, by whomever; null for none. */
  variant: string | null
  userMessage: UserMessage
  transcript: Transcript
  writer: TurnWriter
  signal: AbortSignal
  /** Its part of the time that the tree works. */
  work: Work
  /** Ends the renewal of its lease. */
  release(): void
  /** Model calls made so far. */
  steps: number
  /** Times that results of writs were given back to the model. */
  writRounds: number
  /** It was looked whether the session knows that the model's server cuts prompts. */
  cutTold: boolean
  system: string[] | null
}
