import { existsSync, realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import { type Confinement, confinementOf, unconfined } from "../acts/sandbox/confinement.ts"
import type { Sandbox } from "../acts/sandbox/sandbox.ts"
import { type EditorTerminal, editorCommands, outsideInEditor } from "../acts/tool/editor-commands.ts"
import type { LanguagePlace, LanguageServers } from "../acts/tool/language-servers.ts"
import { createLspTool } from "../acts/tool/lsp.ts"
import { defaultShell } from "../acts/tool/shell-syntax.ts"
import type { Tool } from "../acts/tool/tool.ts"
import { unsavedFiles } from "../acts/tool/unsaved-files.ts"
import { createWebsearchTool } from "../acts/tool/web/websearch.ts"
import { createBuiltinTools } from "../engine/builtin-tools/builtin-tools.ts"
import { createSkillTool } from "../engine/builtin-tools/skill.ts"
import { checkWrittenFiles } from "../engine/calls/check-written-file.ts"
import { formatWrittenFiles } from "../engine/calls/format-written-files.ts"
import { createTurnFiles } from "../engine/calls/turn-files.ts"
import type { ChangeService } from "../engine/changes/change-service.ts"
import { describeAtEnd } from "../engine/changes/describe-at-end.ts"
import type { createDescribe } from "../engine/changes/describe-changes.ts"
import { createCustomTools } from "../engine/custom-tools/create-custom-tools.ts"
import { childPlaces } from "../engine/custom-tools/run-tool-file.ts"
import type { ExtensionHost } from "../engine/extension/extension-host.ts"
import { createInlineCommandRunners } from "../engine/inline-command-runners/create-inline-command-runners.ts"
import { createAgentCommandRunner } from "../engine/inline-command-runners/run-agent-command.ts"
import { createMemoryCommandRunner } from "../engine/inline-command-runners/run-memory-command.ts"
import { createScheduleCommandRunner } from "../engine/inline-command-runners/run-schedule-command.ts"
import { createTodoCommandRunner } from "../engine/inline-command-runners/run-todo-command.ts"
import type { LoopModels } from "../engine/loop/choose-model.ts"
import { combineHooks } from "../engine/loop/hooks.ts"
import type { InlineCommandRunners } from "../engine/loop/inline-command-runner.ts"
import type { StepFiles } from "../engine/loop/step-files.ts"
import type { ToolSource } from "../engine/loop/tool-source.ts"
import type { TurnContext } from "../engine/loop/turn-context.ts"
import { createPlanTools } from "../engine/plan/plan-tools.ts"
import { turnReminder } from "../engine/prompt/reminder.ts"
import { createGitStates, type GitStates } from "../engine/prompt/system/git-states.ts"
import { sourceTexts } from "../engine/prompt/system/source-texts.ts"
import { systemPrompt } from "../engine/prompt/system/system-prompt.ts"
import type { Scheduler } from "../engine/schedule/scheduler.ts"
import { createBackground } from "../engine/turn/background.ts"
import type { Prompts } from "../engine/turn/prompts.ts"
import type { SessionTurnDeps } from "../engine/turn/run-session-turn.ts"
import type { TurnQueue } from "../engine/turn/turn-queue.ts"
import { nodeTimers } from "../ground/concurrency/timers.ts"
import { createGuardedFetch } from "../ground/fetch/guarded-fetch.ts"
import type { Project, Session } from "../ground/schema/index.ts"
import { limitsOf } from "../ground/schema/limits-config.ts"
import type { Trace } from "../ground/trace/trace.ts"
import { createSessionMemory } from "../records/memory/session-memory.ts"
import { providerVariables } from "../setup/config/references.ts"
import { costOf } from "../setup/provider/cost-of.ts"
import { retryDelay } from "../setup/provider/retry-delay.ts"
import { errorHeaders, toMessageError } from "../setup/provider/to-message-error.ts"
import { tracedModel } from "../setup/provider/traced-model.ts"
import { mirrorObjects } from "../setup/repository/mirrors.ts"
import { sandboxIn } from "../setup/workspace/sandbox-in.ts"
import { allowedLeft } from "./allow-left.ts"
import type { Delegation } from "./create-delegation.ts"
import type { Services } from "./create-services.ts"
import { formatPlace, languagePlace } from "./program-place.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

/** What turns need to start other work. */
interface Starters {
  queue: TurnQueue
  delegation: Delegation
  schedule: Pick<Scheduler, "as">
  prompts: Pick<Prompts, "enqueue">
  changes: Pick<ChangeService, "list">
  describe: ReturnType<typeof createDescribe>
}

/** The dependencies of a turn. */
export function createLoop(deps: RuntimeDeps, services: Services, starters: Starters): SessionTurnDeps {
  const { queue, delegation, prompts, changes, describe } = starters
  const { store, journal, bus, finalWrites, notes, transcripts, broker, workspace, executors } = services
  const { clock, createID, onError, providerTimeoutMs } = deps
  const { trace } = services
  const sessionByID = services.sessions.get
  // The hosts of a turn work in one place.
  const places = new WeakMap<TurnContext, ReturnType<Services["extensionPlaceOf"]>>()
  const extensionPlaceOfTurn = (turn: TurnContext) => {
    const place = places.get(turn) ?? services.extensionPlaceOf(turn.project)
    places.set(turn, place)
    return place
  }
  const builtinTools = createBuiltinTools({
    clock,
    env: deps.env,
    onSpawn: services.commands.onSpawn,
    onSignal: services.commands.onSignal,
    onExit: services.commands.onExit,
    todos: services.todos,
    sessionMemory: (caller) => createSessionMemory({ memory: services.memory, sessionByID }, caller),
  })
  const planTools = createPlanTools({
    ...{ store, createID, clock, sessionByID, planRoot: services.planRoot },
    projectByID: services.projects.get,
    setPreset: services.sessions.setPreset,
    enqueue: (session, input, by) => prompts.enqueue(session, input, { by }),
  })
  const turnFiles = createTurnFiles({
    ...{ createID, clock, onError, snapshots: services.snapshots, windows: services.fileWindows },
  })
  const gitStates = createGitStates({ env: deps.env, now: () => performance.now() })
  const { languageServers: servers } = deps
  const placeOf = ({ project }: TurnContext) => languagePlace(deps, services, project)
  const checks = servers === undefined ? [] : [checkWrittenFiles({ servers, notes, placeOf, onError })]
  const { formatters } = deps
  const formats =
    formatters === undefined
      ? []
      : [formatWrittenFiles({ formatters, placeOf: ({ project }) => formatPlace(deps, services, project) })]
  const describing = describeAtEnd({ store, changes, sessionByID, setupOf: services.setupOf, describe })
  const hooks = combineHooks([delegation.plug, ...services.plugs, ...formats, ...checks, describing])
  const models = loopModels(deps, trace)
  const inlineCommands = inlineCommandRunners(services, starters)
  const stamp = { createID, clock }
  const end = { ...stamp, store, queue, bus, finalWrites, stopMarkers: services.stopMarkers, onError }
  const confinementFor = async (
    { project, session, config, skills }: TurnContext,
    { outputDirectory, readable = [], isReadOnly = false }: ConfinedPlaces,
    { sandbox, mode }: { sandbox: Sandbox | null; mode?: "required" },
  ) => {
    if (sandbox === null) return unconfined
    const work = {
      projectID: project.id,
      worktree: project.worktree,
      directory: session.directory,
      ...(outputDirectory !== undefined && { outputDirectory }),
      skillDirectories: [...skills.map(({ place }) => place), ...readable, ...borrowedObjects(services, project)],
      allowed: () => allowedLeft(store.standingGrant, project.id),
      ...(isReadOnly && { isReadOnly: true as const }),
    }
    const { config: own } = await services.configs.of(null)
    const settings = sandboxIn(workspace, config.sandbox, own.sandbox)
    return confinementOf(sandbox, { ...settings, ...(mode && { mode }) }, work)
  }
  const terminalOf = ({ rootID }: Pick<Session, "rootID">): EditorTerminal => ({
    isOffered: () => services.editors.hasTerminal(rootID),
    run: (command, ended) => services.editors.run(rootID, command, ended),
  })
  const commandConfinement = async (turn: TurnContext, outputDirectory: string): Promise<Confinement> => {
    const executor = executors.of(turn.config.sandbox)
    const sandbox = executor.sandboxFor(turn.config.sandbox ?? {})
    // What is to run in containers never runs outside of them.
    return confinementFor(
      turn,
      { outputDirectory },
      { sandbox, ...(executor.name !== "local" && { mode: "required" }) },
    )
  }
  const variablesOf: SessionTurnDeps["run"]["variablesOf"] = async ({ project, config }) => {
    const { sources } = await services.configs.of(project)
    const withheld = providerVariables(sources)
    return { named: config.sandbox?.env ?? [], withheld, isShared: workspace.isShared }
  }
  const boundOf: SessionTurnDeps["run"]["boundOf"] = async ({ project, config }, work) => {
    if (deps.bounds === undefined) return null
    const places = [project.worktree, deps.dataDirectory, ...(config.sandbox?.write ?? [])]
    return deps.bounds.begin({
      ...work,
      scope: workspace.get().id,
      limits: limitsOf(config.sandbox?.limits),
      places: work.isHeld ? places : [...places, tmpdir()],
    })
  }
  const customTools = createCustomTools({
    ...{ clock, variablesOf, boundOf, env: deps.env },
    commands: services.commands,
    files: services.toolFiles,
    problems: services.toolProblems,
    replaced: async () => (await services.configs.of(null)).config.custom_tools?.replaces ?? [],
    isShared: workspace.isShared ?? false,
    confinementOf: (turn, { isReadOnly }) =>
      confinementFor(turn, { readable: childPlaces, isReadOnly }, { sandbox: deps.sandbox ?? null }),
  })
  return {
    claim: end,
    start: {
      ...{ ...stamp, store, journal, bus, queue, notes, models, hooks, planRoot: services.planRoot },
      begun: new Set(),
      fetchAttachment: createGuardedFetch(),
      attachments: services.attachments,
    },
    run: {
      ...{ ...stamp, store, broker, notes, models, hooks, inlineCommands, providerTimeoutMs, workspace, trace },
      attachments: services.attachments,
      ...{ queue, fetchAttachment: createGuardedFetch(), repositories: services.repositories },
      outputDirectory: services.outputDirectory,
      ownDirectories: services.ownDirectories,
      confinementOf: async (turn, outputDirectory) =>
        outsideInEditor(await commandConfinement(turn, outputDirectory), terminalOf(turn.session)),
      variablesOf,
      boundOf,
      programs: {
        host: deps.agentPrograms ?? null,
        placeOf: extensionPlaceOfTurn,
        todos: services.todos,
        guests: delegation.guests,
        env: deps.env,
        onError,
      },
      subagentTool: delegation.guestTool,
      tools: { write: toolNamed(builtinTools, "write"), bash: toolNamed(builtinTools, "bash") },
      async machineOf({ session, config }) {
        const { files, commands } = executors.placeOf(session, config.sandbox)
        const unsavedText = (real: string) => services.editors.unsavedText(session.rootID, real)
        return {
          files: unsavedFiles(files, unsavedText),
          commands: editorCommands(commands, terminalOf(session)),
        }
      },
      toolSources: [
        { name: "built-in", tools: () => builtinTools },
        { name: "web search", tools: (turn) => [createWebsearchTool(turn.config.websearch ?? null)] },
        // A subagent has its task and nobody to plan with.
        { name: "plan mode", tools: (turn) => (turn.session.parentID === null ? planTools : []) },
        { name: "skills", tools: skillTools },
        { name: "language servers", tools: async (turn) => [await lspTool(servers, turn, placeOf)] },
        delegation.toolSource,
        customTools,
        ...(deps.extensions ?? []).map((host) => extensionTools(host, extensionPlaceOfTurn)),
      ],
      stepFiles: (turn, step) =>
        noticing(turnFiles.stepFiles(turn, step), () => gitStates.changed(turn.project.worktree)),
      systemPrompt: (turn, offered) =>
        turnSystemPrompt(
          { platform: deps.platform, clock, instructions: services.instructions, gitStates },
          turn,
          offered,
        ),
      reminder: turnReminder,
    },
    end,
    title: { store, journal, models, hooks, inlineCommands, providerTimeoutMs },
    ...{ store, journal, hooks, notes, transcripts, trace, clock },
    timers: deps.timers ?? nodeTimers,
    onLate: (text) => deps.onLate?.(text),
    scanSourcesOf: services.scanSourcesOf,
    repositories: services.repositories,
    filesSettled: turnFiles.filesSettled,
    async setupOf(session) {
      const setup = await services.setupOf(session)
      // The first step needs it: git reads it while the turn starts.
      if (setup.project.git) void gitStates.of(setup.project.worktree)
      return setup
    },
    background: createBackground(),
    onError,
  }
}

function toolNamed(tools: readonly Tool[], name: string): Tool {
  const found = tools.find(({ id }) => id === name)
  if (found === undefined) throw new Error(`There is no tool ${name}.`)
  return found
}

/** The tools of all extensions of a kind. */
function extensionTools(
  host: ExtensionHost,
  placeOf: (turn: TurnContext) => ReturnType<Services["extensionPlaceOf"]>,
): ToolSource {
  return {
    name: host.kind,
    hasOthers: (turn) => host.hasOtherTools?.(turn) ?? false,
    tools: async (turn) => (host.tools === undefined ? [] : host.tools(turn, await placeOf(turn))),
    arrivalOf: async (turn, tool) =>
      host.arrivalOf === undefined ? null : host.arrivalOf(turn, await placeOf(turn), tool),
  }
}

/** Where programs of a turn work, besides its project. */
interface ConfinedPlaces {
  outputDirectory?: string
  /** Directories that can be read in addition; real paths. */
  readable?: readonly string[]
  isReadOnly?: boolean
}

/** The objects that a repository of a session and its submodules borrow; real. */
function borrowedObjects({ mirrors }: Services, { id, repository }: Project): string[] {
  if (repository === undefined || !mirrors.has(id)) return []
  const directories = mirrorObjects(mirrors.directoryOf(id))
  return directories.filter((directory) => existsSync(directory)).map((directory) => realpathSync(directory))
}

/** The tool that loads skills, when there are any. */
function skillTools({ skills }: TurnContext): Tool[] {
  return skills.length === 0 ? [] : [createSkillTool({ skills })]
}

/** The tool that asks language servers. It is offered while some run. */
async function lspTool(
  servers: LanguageServers | undefined,
  turn: TurnContext,
  placeOf: (turn: TurnContext) => Promise<LanguagePlace>,
): Promise<Tool> {
  if (turn.config.lsp === false) return createLspTool({ unavailable: "language servers are off (lsp in docket.json)" })
  // Turns where none runs need no place.
  if (servers === undefined || !servers.areRunning({ worktree: realpathSync(turn.project.worktree) }))
    return createLspTool({ unavailable: "no language server runs yet" })
  return createLspTool({ servers, place: await placeOf(turn) })
}

function loopModels({ providers, random, clock }: RuntimeDeps, trace: Trace): LoopModels {
  const deps = { trace, now: () => performance.now() }
  return {
    resolve: async (ref, config) => tracedModel(deps, ref, await providers.resolve(ref, config)),
    smallModel: providers.smallModel,
    costOf,
    toMessageError: (error, ref) => toMessageError(error, { providerID: ref.providerID }),
    retryDelay: (attempt, error) => retryDelay(attempt, { headers: errorHeaders(error), random, now: clock }),
  }
}

function inlineCommandRunners(services: Services, { delegation, schedule }: Starters): InlineCommandRunners {
  const { memory, timeZone, todos, store, setupOf } = services
  const { tasks, delegate } = delegation
  const sessionByID = services.sessions.get
  const agent = createAgentCommandRunner({ tasks, delegate, sessionByID, setupOf })
  return createInlineCommandRunners({
    todo: createTodoCommandRunner({ todos, store }),
    mem: createMemoryCommandRunner({ memory, sessionByID }),
    agent,
    parallel: agent,
    schedule: createScheduleCommandRunner({ sessionByID, schedule, timeZone }),
  })
}

/** Calls `onChange` before and after tools change files. */
function noticing(files: StepFiles, onChange: () => void): StepFiles {
  let mayChange = false
  return {
    async before(file, now) {
      mayChange = true
      onChange()
      await files.before(file, now)
    },
    after: files.after,
    async end() {
      await files.end()
      if (mayChange) onChange()
    },
  }
}

async function turnSystemPrompt(
  deps: Pick<RuntimeDeps, "platform" | "clock"> & Pick<Services, "instructions"> & { gitStates: GitStates },
  turn: TurnContext,
  offered: Tool[],
): Promise<string[]> {
  const { session, project, config, provided } = turn
  const { directory } = session
  const { worktree, git } = project
  const patterns = config.instructions ?? []
  const [gitState, { files: instructions }] = await Promise.all([
    git ? deps.gitStates.of(worktree) : null,
    deps.instructions.inForce({ directory, worktree, patterns, provided }, { wait: true }),
  ])
  return systemPrompt({
    agent: turn.agent,
    watched: session.parentID === null,
    tools: new Set(offered.map((tool) => tool.id)),
    model: turn.model,
    directory,
    worktree,
    git,
    gitState,
    apart: turn.apart,
    shell: defaultShell,
    platform: deps.platform,
    date: new Date(deps.clock()),
    // The system text of the turn's own prompt: later texts of Docket are user messages too.
    userSystem: turn.turn.input.system,
    instructions,
    sources: sourceTexts(offered),
  })
}
