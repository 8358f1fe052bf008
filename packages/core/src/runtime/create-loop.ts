import { createStepFiles } from "../calls/create-step-files.ts"
import { createAsyncTaskTools } from "../delegation/async-task-tools.ts"
import { startableBy } from "../delegation/choose-subagent.ts"
import { createRunTask } from "../delegation/run-task.ts"
import { settledLaunch } from "../delegation/settled-launch.ts"
import { createTaskTool } from "../delegation/task-tool.ts"
import { createGuardedFetch } from "../fetch/guarded-fetch.ts"
import { noStepFiles, type StepFiles } from "../loop/step-files.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { WritRunner } from "../loop/writ-runner.ts"
import { createSessionMemory } from "../memory/session-memory.ts"
import { turnReminder } from "../prompt/reminder.ts"
import { findInstructions } from "../prompt/system/find-instructions.ts"
import { readGitState } from "../prompt/system/git-state.ts"
import { systemPrompt } from "../prompt/system/system-prompt.ts"
import { costOf } from "../provider/cost-of.ts"
import { retryDelay } from "../provider/retry-delay.ts"
import { errorHeaders, toMessageError } from "../provider/to-message-error.ts"
import type { ScheduleService } from "../schedule/schedule-service.ts"
import type { Task } from "../schema/index.ts"
import { defaultShell } from "../tool/bash.ts"
import { createBuiltinTools } from "../tool/builtin-tools.ts"
import type { Tool } from "../tool/tool.ts"
import { createBackground } from "../turn/background.ts"
import { createTranscriptCache, type SessionTurnDeps } from "../turn/run-session-turn.ts"
import { createWritRunners } from "../writ-runners/create-writ-runners.ts"
import { createAgentWritRunner } from "../writ-runners/run-agent-writ.ts"
import { createMemoryWritRunner } from "../writ-runners/run-memory-writ.ts"
import { createScheduleWritRunner } from "../writ-runners/run-schedule-writ.ts"
import { createTodoWritRunner } from "../writ-runners/run-todo-writ.ts"
import type { Delegation } from "./create-delegation.ts"
import type { Parts, RuntimeDeps } from "./create-parts.ts"

/** Transcripts kept in memory between turns. */
const keptTranscripts = 8

/** What is made after the loop, because it starts turns. */
interface Starters extends Delegation {
  schedule: ScheduleService
}

/** What a turn runs on. `starters` cuts the knot between the loop and what starts loops. */
export function createLoop(deps: RuntimeDeps, parts: Parts, starters: () => Starters): SessionTurnDeps {
  const { todos, memory, sessions, commands, timeZone } = parts
  const ofSession = { memory, sessionByID: sessions.get }
  const agentWrits: WritRunner = (writ, context) =>
    createAgentWritRunner({ ...starters(), sessionByID: sessions.get, setupOf: parts.setupOf })(writ, context)
  const builtinTools = createBuiltinTools({
    clock: deps.clock,
    env: deps.env,
    onSpawn: commands.onSpawn,
    onExit: commands.onExit,
    todos,
    sessionMemory: (caller) => createSessionMemory(ofSession, caller),
  })
  return {
    ...parts,
    onError: deps.onError,
    providerTimeoutMs: deps.providerTimeoutMs,
    transcripts: createTranscriptCache(keptTranscripts),
    background: createBackground(),
    models: {
      resolve: deps.providers.resolve,
      smallModel: deps.providers.smallModel,
      costOf,
      toMessageError: (error, ref) => toMessageError(error, { providerID: ref.providerID }),
      retryDelay: (attempt, error) =>
        retryDelay(attempt, { headers: errorHeaders(error), random: deps.random, now: deps.clock }),
    },
    tools: (turn) => [...builtinTools, ...delegationTools(parts, starters(), turn)],
    stepFiles: (turn, messageID) => stepFiles(deps, parts, turn, messageID),
    beginWork: (turn, session, config) => starters().tasks.beginWork(turn, session, config),
    callsLeft: (session) => starters().tasks.callsLeft(session),
    recordStep: (session, used) => starters().tasks.recordStep(session, used),
    limitOf: (session) => starters().tasks.limitOf(session),
    turnEnded: (sessionID) => starters().tasks.turnEnded(sessionID),
    systemPrompt: (turn, offered) => turnSystemPrompt(deps, turn, offered),
    reminder: turnReminder,
    fetchAttachment: createGuardedFetch(),
    writs: createWritRunners({
      todo: createTodoWritRunner(parts),
      mem: createMemoryWritRunner(ofSession),
      agent: agentWrits,
      parallel: agentWrits,
      schedule: (writ, context) =>
        createScheduleWritRunner({ ...ofSession, schedule: starters().schedule, timeZone })(writ, context),
    }),
  }
}

function stepFiles(deps: RuntimeDeps, parts: Parts, turn: TurnContext, messageID: string): StepFiles {
  if (!turn.project.git || turn.apart) return noStepFiles
  return createStepFiles({ ...parts, windows: parts.fileWindows, onError: deps.onError }, turn, messageID)
}

function delegationTools(parts: Parts, { tasks, delegate }: Delegation, turn: TurnContext): Tool[] {
  const runTask = createRunTask({ ...parts, tasks, delegate }, turn)
  const launchSettled = (task: Task) => settledLaunch({ bus: parts.bus, tasks }, task)
  const tools = [
    createTaskTool({ caller: turn, runTask }),
    ...createAsyncTaskTools({ tasks, delegate, launchSettled }, turn),
  ]
  // Nobody to start: what already runs can still be asked for.
  return startableBy(turn).length > 0 ? tools : tools.filter(({ id }) => id !== "task" && id !== "async_task")
}

async function turnSystemPrompt(deps: RuntimeDeps, turn: TurnContext, offered: Tool[]): Promise<string[]> {
  const { session, project, config } = turn
  const { directory } = session
  const { worktree, git } = project
  const patterns = config.instructions ?? []
  return systemPrompt({
    agent: turn.agent,
    watched: session.parentID === null,
    tools: new Set(offered.map((tool) => tool.id)),
    model: turn.model,
    directory,
    worktree,
    git,
    gitState: git ? await readGitState(worktree, deps.env) : null,
    apart: turn.apart,
    shell: defaultShell,
    platform: deps.platform,
    date: new Date(deps.clock()),
    // The prompt's own: what Docket says later in the turn is a user message too.
    userSystem: turn.turn.input.system,
    instructions: await findInstructions({ directory, worktree, home: deps.home, patterns }),
  })
}
