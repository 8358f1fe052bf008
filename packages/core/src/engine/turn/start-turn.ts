import type { LateWaits } from "../../ground/concurrency/late-waits.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { mergeRules } from "../../ground/rule/index.ts"
import type {
  Agent,
  ModelRef,
  PermissionRuleset,
  Project,
  Session,
  Turn,
  UserMessage,
} from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { planAgent } from "../../setup/agent/builtin-agents.ts"
import { forOwnPlan } from "../../setup/agent/plan-ceiling.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { ProvidedFiles } from "../../setup/instruction/instructions.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import { allowedSkills, type Skill } from "../../setup/skill/list-skills.ts"
import { chooseModel, chooseVariant, type LoopModels } from "../loop/choose-model.ts"
import { extensionPart } from "../loop/extension-text.ts"
import type { Hooks } from "../loop/hooks.ts"
import { openStep } from "../loop/open-step.ts"
import { restartedPart } from "../loop/restarted-part.ts"
import { noteParts, type SessionNotes } from "../loop/session-notes.ts"
import { endsTurn } from "../loop/stop-reason.ts"
import { createTranscript, type Transcript } from "../loop/transcript.ts"
import type { StartedTurn, TurnContext } from "../loop/turn-context.ts"
import { createTurnWriter, type TurnWriterDeps } from "../loop/turn-writer.ts"
import { newUserMessage, type Stamp, storeUserMessage, writeUserMessage } from "../loop/write-message.ts"
import { newPlanFile } from "../plan/plan-file.ts"
import { type PromptPartsDeps, promptParts } from "./prompt-parts.ts"
import { outputSchemaPart } from "./turn-output.ts"
import type { TurnQueue } from "./turn-queue.ts"

/** The setup of a project, read again for each turn. */
export interface TurnSetup {
  project: Project
  config: Config
  agents: Agent[]
  /** Rules that an agent may not exceed, whatever its own rules allow. */
  ceilingsOf(agent: string): PermissionRuleset[]
  /** The model for a prompt that names none. */
  defaultModel: ModelRef
  provided: ProvidedFiles
  skills: readonly Skill[]
}

export interface StartTurnDeps extends Stamp, PlanOfTurnDeps, PromptPartsDeps, Pick<TurnWriterDeps, "journal" | "bus"> {
  store: Pick<Store, "session">
  models: Pick<LoopModels, "resolve">
  hooks: Pick<Hooks, "turnBegins" | "userMessage" | "sessionStarts">
  notes: Pick<SessionNotes, "take">
  queue: Pick<TurnQueue, "renew">
  /** The sessions in which this process has worked. */
  begun: Set<string>
}

/** The input of a claimed turn. */
export interface GivenTurn extends Pick<TurnWriterDeps, "onStale"> {
  session: Session
  setup: TurnSetup
  transcript: Transcript
  signal: AbortSignal
  waits: LateWaits
}

/**
 * Creates the context of a claimed turn and writes its user message, or reuses the message of an earlier attempt.
 * @throws agent_not_found
 */
export async function startTurn(deps: StartTurnDeps, turn: Turn, given: GivenTurn): Promise<TurnContext> {
  const { session, setup, transcript } = given
  const agent = findAgent(setup.agents, turn.input.agent ?? session.agent)
  const wishes = { input: turn.input, agent, session }
  const model = chooseModel(wishes, setup.defaultModel)
  const variant = await chooseVariant(deps.models, wishes, { model, config: setup.config })
  const fence = { turnID: turn.id, epoch: turn.epoch }
  const writer = createTurnWriter({ ...deps, session, transcript, fence, signal: given.signal, onStale: given.onStale })
  const project = workingProject(session, setup.project)
  const plan = await planOfTurn(deps, turn, { session, project, agent: agent.name })
  const patched: Session = {
    ...session,
    agent: agent.name,
    model,
    ...(plan !== undefined && { plan }),
    status: { type: "busy" },
    abortedAt: null,
  }
  const [rules = [], ...limits] = rulesWithPlan(agent.name, plan, [
    mergeRules(agent.permission, session.permission),
    ...setup.ceilingsOf(agent.name),
  ])
  const ceilings = [...limits, ...(await ancestorRules(deps, session, setup))]
  const base = {
    turn,
    session: patched,
    project,
    apart: await worksApart(deps, session, setup.project),
    config: setup.config,
    provided: setup.provided,
    agents: setup.agents,
    agent,
    rules,
    ceilings,
    ceilingsOf: setup.ceilingsOf,
    skills: allowedSkills(setup.skills, [rules, ...ceilings]),
    model,
    variant,
    transcript,
    writer,
    signal: given.signal,
    waits: given.waits,
    steps: 0,
    commandRounds: 0,
    cutTold: false,
    changed: [],
    system: null,
  }
  // Renewal starts before slow work. It reads the current record, which by then names the message.
  const release = deps.queue.renew(() => base.turn, given.onStale)
  void writer.session({
    agent: agent.name,
    model,
    status: { type: "busy" },
    abortedAt: null,
    ...(plan !== session.plan && plan !== undefined && { plan }),
    writtenBy: fence,
    time: { ...session.time, updated: deps.clock() },
  })
  try {
    // First, because it sets the message id in `base.turn`.
    const userMessage = await userMessageOf(deps, base)
    // Last, because only the owner of the context ends the work.
    const time = await deps.hooks.turnBegins(turn, patched, setup.config)
    return { ...base, userMessage, time, release }
  } catch (error) {
    release()
    throw error
  }
}

/** Sessions that a process remembers to have worked in. */
const mostBegun = 10_000

async function userMessageOf(deps: StartTurnDeps, turn: StartedTurn): Promise<UserMessage> {
  // An earlier attempt stored the prompt. A compaction may have removed it from the transcript since.
  if (turn.turn.messageID !== null) {
    const answered = unanswered(turn.transcript, turn.turn.messageID) ?? userMessageOfLastStep(turn.transcript)
    if (answered !== null) return answered
    return writeUserMessage(deps, turn, [restartedPart])
  }
  const parts = await promptParts(deps, turn, turn.turn.input.parts)
  // Quiet notes come before the text of the prompt, which is to be answered.
  const notes = await deps.notes.take(turn.session.id, "quiet")
  if (notes.length > 0) void turn.writer.notesRead(notes)
  const isFirst = turn.transcript.all().length === 0
  const how = isFirst ? "new" : deps.begun.has(turn.session.id) ? null : "again"
  if (deps.begun.size >= mostBegun) deps.begun.clear()
  deps.begun.add(turn.session.id)
  const said = how === null ? [] : (await deps.hooks.sessionStarts({ turn, how })).map(extensionPart)
  const { system, outputSchema } = turn.turn.input
  const form = outputSchema === undefined ? [] : [outputSchemaPart(outputSchema)]
  const written = [...noteParts(notes), ...said, ...parts, ...form]
  const made = newUserMessage(deps, turn, written, { system, by: turn.turn.by })
  const changed = await deps.hooks.userMessage(made, turn)
  const message: UserMessage = changed.info.role === "user" ? changed.info : made.info
  storeUserMessage(turn, { info: message, parts: changed.parts })
  const claimed = { ...turn.turn, messageID: message.id }
  turn.turn = claimed
  void turn.writer.turn(claimed)
  return message
}

/** The message of a turn whose work had not begun: nothing was interrupted. */
function unanswered(transcript: Transcript, messageID: string): UserMessage | null {
  const last = transcript.all().at(-1)?.info
  return last?.role === "user" && last.id === messageID ? last : null
}

/** The user message of the step that an earlier process left open, or of the step that ended the turn. */
function userMessageOfLastStep(transcript: Transcript): UserMessage | null {
  const last = transcript.all().at(-1)
  const ended = last?.info.role === "assistant" && last.parts.some(endsTurn) ? last.info : undefined
  const parentID = (openStep(transcript)?.message ?? ended)?.parentID
  const info = parentID === undefined ? undefined : transcript.get(parentID)?.info
  return info?.role === "user" ? info : null
}

/**
 * The rules of every session above, nearest first: a child never gets a right that one of them lacks. Read one by one,
 * because there are few and the tree may have hundreds of other sessions.
 */
async function ancestorRules({ store }: Pick<StartTurnDeps, "store">, session: Session, setup: TurnSetup) {
  const ceilings: PermissionRuleset[] = []
  let { parentID } = session
  while (parentID !== null) {
    const parent: Session | null = await store.session.get(parentID)
    if (parent === null) break
    const agent = setup.agents.find((candidate) => candidate.name === parent.agent)
    const above = [mergeRules(agent?.permission ?? [], parent.permission), ...setup.ceilingsOf(parent.agent)]
    ceilings.push(...rulesWithPlan(parent.agent, null, above))
    parentID = parent.parentID
  }
  return ceilings
}

/** Whether a subagent works in a worktree of its own. A fork that has files of its own shares them with its subagents. */
async function worksApart({ store }: Pick<StartTurnDeps, "store">, session: Session, project: Project) {
  const { parentID, rootID, directory } = session
  if (parentID === null || isWithin(project.worktree, directory)) return false
  const root = (await store.session.get(rootID)) ?? session
  return !isWithin(workingProject(root, project).worktree, directory)
}

export function loadTranscript(store: Pick<Store, "transcript">, sessionID: string): Promise<Transcript> {
  return store.transcript.sinceCompaction(sessionID).then(createTranscript)
}

interface PlanOfTurnDeps {
  clock: () => number
  /** Directory for the plans of projects without git (absolute). */
  planRoot: string
}

/** The plan file of a turn. It gets its name when the session first uses plan mode. */
async function planOfTurn(
  deps: PlanOfTurnDeps,
  turn: Turn,
  { session, project, agent }: { session: Session; project: Project; agent: string },
): Promise<string | undefined> {
  if (session.plan !== undefined || agent !== planAgent) return session.plan
  const { clock, planRoot } = deps
  return newPlanFile({ session, project, parts: turn.input.parts, at: clock(), planRoot })
}

/**
 * Rulesets of an agent in a session. Those of plan mode allow the session's own plan, and no plan in sessions below it.
 */
function rulesWithPlan(
  agent: string,
  plan: string | null | undefined,
  rulesets: PermissionRuleset[],
): PermissionRuleset[] {
  return agent === planAgent ? rulesets.map((rules) => forOwnPlan(rules, plan ?? null)) : rulesets
}
