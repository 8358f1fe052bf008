import type { LateWaits } from "../../ground/concurrency/late-waits.ts"
import type {
  Agent,
  MessageChange,
  ModelRef,
  PermissionRuleset,
  Project,
  Session,
  Turn,
  UserMessage,
} from "../../ground/schema/index.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { ProvidedFiles } from "../../setup/instruction/instructions.ts"
import type { Skill } from "../../setup/skill/list-skills.ts"
import type { CountedTime } from "./counted-time.ts"
import type { Transcript } from "./transcript.ts"
import type { TurnWriter } from "./turn-writer.ts"

/** A turn whose message is not stored yet. */
export type StartedTurn = Omit<TurnContext, "userMessage" | "time" | "release">

/** One running turn. `session`, `agent` and `model` are those of this turn. */
export interface TurnContext {
  turn: Turn
  session: Session
  project: Project
  /** The session works in a git worktree of its own: the project changes only when that is merged. */
  apart: boolean
  config: Config
  provided: ProvidedFiles
  /** The skills that the agent may load. */
  skills: Skill[]
  agents: Agent[]
  agent: Agent
  /** Rules of the agent and the session, and rules of each session above. */
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
  /** Rules that another agent may not exceed either, whatever its own rules allow. */
  ceilingsOf(agent: string): PermissionRuleset[]
  model: ModelRef
  /** The chosen variant of the model; null for none. */
  variant: string | null
  userMessage: UserMessage
  transcript: Transcript
  writer: TurnWriter
  signal: AbortSignal
  /** What it waits for now. */
  waits: LateWaits
  /** The turn's share of the time that the tree works. */
  time: CountedTime
  /** Stops renewing the turn's lease. */
  release(): void
  /** Model calls made so far. */
  steps: number
  /** How often results of inline commands were given back to the model. */
  commandRounds: number
  /** Whether the session was checked for the note that the model's server truncates prompts. */
  cutTold: boolean
  /** The system prompt; null before the first step. */
  system: string[] | null
  /** What extensions changed of the step's request and answer, until its message says so. */
  changed: MessageChange[]
}
