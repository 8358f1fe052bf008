import type { Config } from "../config/schema.ts"
import type { Bus } from "../event/bus.ts"
import type { Journal } from "../event/journal.ts"
import type { GuardedFetch } from "../fetch/guarded-fetch.ts"
import type { CreateId } from "../id/create-id.ts"
import type { PermissionDesk } from "../permission/desk.ts"
import type { ResolvedModel } from "../provider/create-providers.ts"
import type {
  Agent,
  MessageError,
  ModelInfo,
  ModelRef,
  PermissionRuleset,
  Project,
  Session,
  TaskError,
  TokenUsage,
  Turn,
  UserMessage,
} from "../schema/index.ts"
import type { Store } from "../store/index.ts"
import type { OwnDirectory, Tool } from "../tool/tool.ts"
import type { SessionNotes } from "./session-notes.ts"
import type { StepFiles } from "./step-files.ts"
import type { Transcript } from "./transcript.ts"
import type { TurnWriter } from "./turn-writer.ts"
import type { Work } from "./work.ts"
import type { WritRunners } from "./writ-runner.ts"

/** What the loop needs of the providers. */
export interface LoopModels {
  /** @throws model_not_found, provider_not_found */
  resolve(ref: ModelRef, config: Config): Promise<ResolvedModel>
  /** A cheap model for titles, the given one when there is none. */
  smallModel(ref: ModelRef, config: Config): Promise<ModelRef>
  toMessageError(error: unknown, ref: ModelRef): MessageError
  /** Milliseconds before retry `attempt` (from 1), or null to give up. */
  retryDelay(attempt: number, error: unknown): number | null
  /** USD. */
  costOf(info: ModelInfo, usage: TokenUsage): number
}

export interface LoopDeps {
  store: Store
  journal: Journal
  bus: Bus
  createID: CreateId
  clock: () => number
  models: LoopModels
  desk: PermissionDesk
  notes: SessionNotes
  /** A turn begins to work: its time counts for its tree until the work ends. */
  beginWork(turn: Turn, session: Session, config: Config): Promise<Work>
  /** Counts what a step used against the ceilings of the tasks it belongs to. */
  recordStep(session: Session, used: { tokens: TokenUsage; cost: number; toolCalls: number }): void
  /** How many more tool calls the session may make; infinite without a limit. */
  callsLeft(session: Session): number
  /** Why a session may not take another step; null when it may. */
  limitOf(session: Session): TaskError | null
  tools(turn: TurnContext): Tool[]
  /** Keeps the state of the files around the tools of one step, whose message is named. */
  stepFiles(turn: TurnContext, messageID: string): StepFiles
  /** At most two strings: the stable first part caches well. `offered` are the tools of the turn. */
  systemPrompt(turn: TurnContext, offered: Tool[]): Promise<string[]>
  /** Text that the loop adds to the last user message for the model only. */
  reminder(turn: TurnContext): string | null
  writs: WritRunners
  /** Fetches what a prompt attaches by its address. */
  fetchAttachment: GuardedFetch
  /** Where long tool outputs of a session are kept; exists. */
  outputDirectory(sessionID: string): Promise<string>
  ownDirectories: readonly OwnDirectory[]
  /** Longest silence of a provider in ms: before the first byte and between two. */
  providerTimeoutMs: number
  onError(error: unknown): void
}

/** One running turn. `session`, `agent` and `model` are those of this turn. */
export interface TurnContext {
  turn: Turn
  session: Session
  project: Project
  /** It works in a git worktree of its own: nothing of the project changes before that is merged. */
  apart: boolean
  config: Config
  agents: Agent[]
  agent: Agent
  /** Rules of the agent and the session; and of each session above. */
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
  model: ModelRef
  /** The variant of the model that was chosen, by whomever; null for none. */
  variant: string | null
  userMessage: UserMessage
  transcript: Transcript
  writer: TurnWriter
  signal: AbortSignal
  /** Its part of the time that the tree works. */
  work: Work
  /** Model calls made so far. */
  steps: number
  /** Times that results of writs were given back to the model. */
  writRounds: number
  system: string[] | null
}
