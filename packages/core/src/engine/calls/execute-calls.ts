import { isDeepStrictEqual } from "node:util"
import { PermissionDeniedError, PermissionRejectedError } from "../../acts/permission/error.ts"
import type { PermissionBroker } from "../../acts/permission/permission-broker.ts"
import type { Confinement } from "../../acts/sandbox/confinement.ts"
import { MAX_BATCHED } from "../../acts/tool/batch.ts"
import type { Machine } from "../../acts/tool/machine.ts"
import { parseArguments } from "../../acts/tool/parse-arguments.ts"
import { repairToolName, runTool, unknownToolMessage } from "../../acts/tool/run-tool.ts"
import {
  type BatchedCall,
  type BatchedResult,
  CallOutcome,
  type EarlierCalls,
  type KnownFiles,
  type OwnDirectory,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../acts/tool/tool.ts"
import { UnreadFile } from "../../acts/tool/unread-file.ts"
import type { Wait } from "../../ground/concurrency/late-waits.ts"
import { isDocketError } from "../../ground/error/docket-error.ts"
import { errorText } from "../../ground/error/error-text.ts"
import type { DirectoryLimits } from "../../ground/file/directory-limits.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { toDataUrl } from "../../ground/media/data-url.ts"
import { MediaProblem } from "../../ground/media/inspect-media.ts"
import { noTokens } from "../../ground/message/usage.ts"
import { allowsLocalAddress, hidingRules, restrictedPatterns } from "../../ground/rule/index.ts"
import type { Caller, ToolPart } from "../../ground/schema/index.ts"
import type { ToolAttachment } from "../../ground/schema/part.ts"
import {
  type CallChange,
  type CallChanges,
  type CallEnd,
  type CallLeave,
  type CallWriting,
  toolNames,
} from "../../ground/schema/tool-metadata.ts"
import { isCompactionSummary } from "../../ground/store/index.ts"
import { type Span, type Trace, traceVariables } from "../../ground/trace/trace.ts"
import type { Attachments } from "../../records/attachment/create-attachments.ts"
import { planAgent } from "../../setup/agent/builtin-agents.ts"
import { permissionOfTool } from "../../setup/config/tool-names.ts"
import type { CountedTime } from "../loop/counted-time.ts"
import type { HookedCall, Hooks } from "../loop/hooks.ts"
import type { StepFiles, TurnFiles } from "../loop/step-files.ts"
import { callEndsTurn, DatabaseLost, EndedByProgram, LimitReached, ServiceStopping } from "../loop/stop-reason.ts"
import { arrivalOf, type ToolSource } from "../loop/tool-source.ts"
import type { Transcript } from "../loop/transcript.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { planPath } from "../plan/plan-file.ts"
import { type AskModelDeps, askModel } from "./ask-model.ts"
import { doomLoopAsk, isDoomLoop } from "./doom-loop.ts"
import { createKnownFiles, type KnownFilesDeps } from "./known-files.ts"
import { newInstructionsOf } from "./new-instructions.ts"

/** ms; a tool's progress is written to its part at most this often. */
const progressMs = 100

interface CallsResult {
  /** The user rejected a call without a message, so the turn ends. */
  rejected: boolean
  /**
   * The user rejected a call of a delegated task in this way. That task ended; the session that delegated it may go on.
   */
  rejectedWithin: boolean
  /** A call ended the turn, see `ToolResult.ends`. */
  ended: boolean
}

export interface CallsDeps extends Omit<AskModelDeps, "hooks"> {
  store: KnownFilesDeps["store"]
  broker: Pick<PermissionBroker, "ask" | "inquire" | "release" | "refuseDenied" | "refuseChanges" | "closedFiles">
  stepFiles: TurnFiles["stepFiles"]
  hooks: Pick<
    Hooks,
    "beforeCall" | "afterCall" | "callFailed" | "shellEnv" | "beforeWrite" | "fileChanged" | "stepLimit" | "stepUsed"
  >
  attachments: Pick<Attachments, "keep">
  createID: CreateId
  /** The directory for long tool outputs of a session; it exists. */
  outputDirectory(sessionID: string): Promise<string>
  ownDirectories: readonly OwnDirectory[]
  workspace: { limits(): DirectoryLimits }
  /** Where the tools of a turn work. */
  machineOf(turn: TurnContext): Promise<Machine>
  /** How programs of a session are confined. */
  confinementOf(turn: TurnContext, outputDirectory: string): Promise<Confinement>
  /** Which environment variables of the service these programs get. */
  variablesOf(turn: TurnContext): ReturnType<ToolContext["variables"]>
  /** Applies the session's limits to a command. */
  boundOf(turn: TurnContext, work: Parameters<ToolContext["bound"]>[0]): ReturnType<ToolContext["bound"]>
  clock: () => number
  toolSources: readonly ToolSource[]
  trace: Trace
}

interface Step extends CallsResult {
  files: StepFiles
  known: KnownFiles | null
  newInstructions: ToolContext["newInstructions"]
}

/**
 * Runs the tool calls of one step. Each call is stored as running before it starts and its result is written when it
 * ends; the next model request waits until that is stored. Parallel calls run together; the others keep their place in
 * the order. A call that only waits for other work, once that has started, does not hold up the next ones. Never throws
 * for a failing tool: the model reads its `error` state.
 * @param shared the files of a step that goes on after these calls
 */
export async function executeCalls(
  deps: CallsDeps,
  turn: TurnContext,
  calls: ToolPart[],
  offered: Tool[],
  shared?: StepFiles,
): Promise<CallsResult> {
  const { transcript, session } = turn
  const reads = offered.some((tool) => tool.id === "read")
  const step = {
    rejected: false,
    rejectedWithin: false,
    ended: false,
    files:
      shared ??
      deps.stepFiles(turn, {
        messageID: calls[0]?.messageID ?? "",
        anyFile: namesOf(calls).some((name) => findTool(name, offered)?.anyFile),
      }),
    known: reads ? createKnownFiles({ store: deps.store, transcript, sessionID: session.id }) : null,
    newInstructions: newInstructionsOf(turn),
  }
  // A call of a batch is made by its batch, also when both continue after a restart.
  const open = new Set(calls.map(({ id }) => id))
  const own = calls.filter(({ batchID }) => batchID === undefined || !open.has(batchID))
  const groups = inOrder(own, offered)
  // The time of each call is counted separately.
  await turn.time.pauseFor(async () => {
    // Changes made while waiting for other work do not belong to this step.
    const end = shared === undefined ? step.files.end : () => {}
    const waiting = await runGroups(deps, turn, { groups, offered, step }).finally(end)
    await Promise.all(waiting)
  })
  return step
}

/** The names of all tools that the calls use, those in a batch included. */
function namesOf(calls: readonly ToolPart[]): string[] {
  return calls.flatMap(({ tool, state: { input } }) => {
    // A model may send all arguments as one JSON text, too.
    const { tool_calls: batched }: { tool_calls?: unknown } =
      typeof input === "string" ? { tool_calls: input } : Object(input)
    // Models also send the list as JSON text; what it names is looked for in the text then.
    if (typeof batched === "string") return [tool, ...(batched.match(/\w+/g) ?? [])]
    if (!Array.isArray(batched)) return [tool]
    return [tool, ...batched.slice(0, MAX_BATCHED).map((call) => String(Object(call).tool))]
  })
}

/** Resolves when all calls have ended except those that only wait for other work; returns the promises of these. */
async function runGroups(
  deps: CallsDeps,
  turn: TurnContext,
  { groups, offered, step }: { groups: ToolPart[][]; offered: Tool[]; step: Step },
): Promise<Promise<void>[]> {
  const running: Promise<void>[] = []
  // Stored now, because a restart makes these calls when an earlier call waits for a user, and it needs their input
  // then.
  for (const call of groups.slice(1).flat()) void turn.writer.part(call)
  for (const group of groups) {
    if (step.rejected) {
      for (const call of group) {
        endUnrun(deps, turn, call, { error: callRejected, metadata: { rejected: true } })
      }
      continue
    }
    const started = group.map((call) => start(deps, turn, call, offered))
    await turn.writer.settled()
    const passed = started.map((call) => {
      const ended = execute(deps, turn, call, { offered, step })
      running.push(ended)
      return Promise.race([ended, call.underWay.promise])
    })
    await Promise.all(passed)
  }
  return running
}

const callRejected = "Not run: the user rejected a call before it."
const batchFailed = "Not run: its batch failed."

function endUnrun(
  deps: CallsDeps,
  turn: TurnContext,
  call: ToolPart,
  { error, metadata = {} }: { error: string; metadata?: CallEnd },
): void {
  const { input } = call.state
  const time = { start: deps.clock(), end: deps.clock() }
  const state = { status: "error", input, error, metadata, time } as const
  void turn.writer.part({ ...call, state })
}

interface StartedCall {
  /** The part as stored when the call began. */
  part: ToolPart & { state: { status: "running" } }
  /** Null when no such tool exists. */
  tool: Tool | null
  startedAt: number
  /** See `ToolContext.underWay`. */
  underWay: PromiseWithResolvers<void>
}

/** Neighbouring parallel calls form one group; every other call is a group of its own. */
function inOrder(calls: ToolPart[], offered: Tool[]): ToolPart[][] {
  const groups: ToolPart[][] = []
  let open = false
  for (const call of calls) {
    const parallel = findTool(call.tool, offered)?.parallel ?? true
    const last = groups.at(-1)
    if (parallel && open && last !== undefined) last.push(call)
    else groups.push([call])
    open = parallel
  }
  return groups
}

function findTool(name: string, offered: Tool[]): Tool | undefined {
  const known = repairToolName(
    name,
    offered.map((tool) => tool.id),
  )
  return offered.find((tool) => tool.id === known)
}

/** Why the tool is missing: the mode hides it, it is on its way, or no tool has this name. */
async function missingTool(
  { toolSources }: Pick<CallsDeps, "toolSources">,
  turn: TurnContext,
  { name, offered }: { name: string; offered: Tool[] },
): Promise<Error> {
  const { rules, ceilings } = turn
  const known = repairToolName(name, toolNames)
  const hiding = known === null ? [] : hidingRules(permissionOfTool(known), [rules, ...ceilings])
  const mode = hiding.find((rule) => rule.mode !== undefined)?.mode
  if (known !== null && mode !== undefined) return new PermissionDeniedError(known, "*", { mode })
  return new Error((await arrivalOf(toolSources, turn, name)) ?? unknownToolMessage(name, offered))
}

function start(deps: CallsDeps, turn: TurnContext, call: ToolPart, offered: Tool[]): StartedCall {
  const tool = findTool(call.tool, offered)
  const startedAt = deps.clock()
  const metadata = tool?.notesWriting ? ({ writing: null } satisfies CallWriting) : {}
  const state = { status: "running", input: call.state.input, metadata, time: { start: startedAt } } as const
  const part = { ...call, tool: tool?.id ?? call.tool, state }
  void turn.writer.part(part)
  return { part, tool: tool ?? null, startedAt, underWay: Promise.withResolvers() }
}

function execute(deps: CallsDeps, turn: TurnContext, call: StartedCall, at: Omit<CallPlace, "span">): Promise<void> {
  const { part, tool } = call
  const span = deps.trace.begin("call", {
    ...{ tool: part.tool, callID: part.callID, isKnown: tool !== null, isOwn: tool?.origin === undefined },
    input: () => call.part.state.input,
  })
  return span.run(() => executeInSpan(deps, turn, call, { ...at, span }))
}

interface CallPlace {
  offered: Tool[]
  step: Step
  span: Span<"call">
}

async function executeInSpan(
  deps: CallsDeps,
  turn: TurnContext,
  call: StartedCall,
  { offered, step, span }: CallPlace,
): Promise<void> {
  const { part, tool } = call
  const waited = turn.waits.begin(`the tool ${tool?.id ?? "without a name"}`)
  const progress = moving(trackProgress(turn, call), waited)
  const changed: CallChange[] = []
  let hasBegun = false
  const hooked: HookedCall = {
    ...{ turn, tool: part.tool, callID: part.callID, partID: part.id },
    ...(tool !== null && { parse: (given: unknown) => parseArguments(tool, given) }),
    ...(tool?.origin && { origin: tool.origin }),
    progress: (metadata) => progress.update({ metadata }),
    changed(what, by, reason) {
      const change = { what, by, ...(reason !== undefined && { reason }) }
      // An extension may be asked about one call several times.
      if (changed.some((before) => isDeepStrictEqual(before, change))) return
      changed.push(change)
      progress.update({ metadata: { changed: [...changed] } })
    },
  }
  let { input } = part.state
  const counted = tool?.waits ? null : turn.time.beside()
  try {
    if (tool === null) throw await missingTool(deps, turn, { name: part.tool, offered })
    turn.signal.throwIfAborted()
    const given = await turn.waits.during("extensions before a call", () => deps.hooks.beforeCall(input, hooked))
    if (given !== input) {
      input = given
      call.part = { ...part, state: { ...part.state, input } }
      void turn.writer.part(call.part)
    }
    const context = await toolContext(deps, turn, call, { hooked, progress, step, counted, offered })
    if (isDoomLoop(turn, call.part)) await context.ask(doomLoopAsk(call.part))
    hasBegun = true
    const result = await runTool(tool, input, context, (made) => deps.hooks.afterCall(made, { ...hooked, input }))
    progress.stop()
    const metadata = { ...progress.metadata(), ...result.metadata, ...(result.ends && callEndsTurn) }
    const time = { start: call.startedAt, end: deps.clock() }
    const { title } = result
    const { output, files } = await keptFiles(deps, turn, result)
    const state = { status: "completed", input, output, ...files, title, metadata, time } as const
    void turn.writer.part({ ...part, state })
    if (result.ends) step.ended = true
    span.note({ result: () => output })
    span.end()
  } catch (error) {
    progress.stop()
    span.end(error)
    const aborted = turn.signal.aborted
    const isStopped = aborted && !(error instanceof CallOutcome)
    const said = isStopped ? stoppedText(turn.signal) : errorText(error)
    const isRefused = error instanceof PermissionRejectedError || error instanceof PermissionDeniedError
    const isFailure = hasBegun && !isStopped && !isRefused
    const text = isFailure ? await deps.hooks.callFailed(said, { ...hooked, input }) : said
    const refused = error instanceof PermissionRejectedError ? callLeave("rejected", error.by) : {}
    const metadata = {
      ...progress.metadata(),
      ...(changed.length > 0 && ({ changed } satisfies CallChanges)),
      ...refused,
      ...callEnd(error, aborted),
      ...(error instanceof CallOutcome && error.ends && callEndsTurn),
    }
    const time = { start: call.startedAt, end: deps.clock() }
    const title = progress.title()
    const state = {
      status: "error",
      input,
      error: text,
      ...(title !== undefined && { title }),
      metadata,
      time,
    } as const
    void turn.writer.part({ ...part, state })
    // A batch that is continued after a restart may fail before its calls are.
    for (const left of callsOfBatch(turn, part).filter(isOpen)) endUnrun(deps, turn, left, { error: batchFailed })
    if (error instanceof PermissionRejectedError && error.feedback === null) step.rejected = true
    if (error instanceof CallOutcome && error.rejectedWithin) step.rejectedWithin = true
    if (error instanceof CallOutcome && error.ends) step.ended = true
  } finally {
    waited.end()
    deps.broker.release(part)
    counted?.end()
  }
}

/** The files of a result, kept by their contents. What cannot be kept is left out, and the output says why. */
async function keptFiles(
  deps: Pick<CallsDeps, "attachments">,
  { session, signal }: Pick<TurnContext, "session" | "signal">,
  { output, attachments = [] }: ToolResult,
): Promise<{ output: string; files: { attachments?: ToolAttachment[] } }> {
  const kept: ToolAttachment[] = []
  const problems: string[] = []
  for (const file of attachments) {
    try {
      kept.push(await deps.attachments.keep(session, file, signal))
    } catch (error) {
      if (!(error instanceof MediaProblem || isDocketError(error))) throw error
      const why = error instanceof MediaProblem ? `it ${error.message}` : error.message
      problems.push(`[The file ${file.filename ?? "without a name"} was left out: ${why}]`)
    }
  }
  return { output: [output, ...problems].join("\n"), files: kept.length > 0 ? { attachments: kept } : {} }
}

interface Batch {
  batch: ToolPart
  calls: readonly BatchedCall[]
  offered: Tool[]
  step: Step
}

/** Makes the calls of a batch. Those that were recorded before a restart are continued, not made again. */
async function runBatched(
  deps: CallsDeps,
  turn: TurnContext,
  { batch, calls, offered, step }: Batch,
): Promise<BatchedResult[]> {
  const ofBatch = () => callsOfBatch(turn, batch)
  const before = ofBatch()
  const made = before.length > 0 ? before : recordBatched(deps, turn, batch, calls)
  const open = made.filter(isOpen)
  const without = offered.filter(({ id }) => id !== batch.tool)
  await Promise.all(await runGroups(deps, turn, { groups: inOrder(open, without), offered: without, step }))
  return ofBatch().flatMap(({ id, tool, state }) =>
    state.status === "completed" || state.status === "error" ? [{ partID: id, tool, state }] : [],
  )
}

function callsOfBatch({ transcript }: TurnContext, batch: ToolPart): ToolPart[] {
  const parts = transcript.get(batch.messageID)?.parts ?? []
  return parts.filter((part): part is ToolPart => part.type === "tool" && part.batchID === batch.id)
}

function isOpen({ state }: ToolPart): boolean {
  return state.status === "pending" || state.status === "running"
}

/** The calls of a batch as parts of its message, as many as the session may still make. */
function recordBatched(deps: CallsDeps, turn: TurnContext, batch: ToolPart, calls: readonly BatchedCall[]): ToolPart[] {
  const allowed = calls.slice(0, deps.hooks.stepLimit(turn.session).calls)
  deps.hooks.stepUsed(turn.session, { tokens: noTokens, cost: 0, toolCalls: allowed.length })
  const { sessionID, messageID } = batch
  return allowed.map(({ tool, input }, index): ToolPart => {
    const part: ToolPart = {
      id: deps.createID("part"),
      sessionID,
      messageID,
      type: "tool",
      callID: `${batch.callID}.${index + 1}`,
      batchID: batch.id,
      tool,
      state: { status: "pending", input, raw: "" },
    }
    void turn.writer.part(part)
    return part
  })
}

function callEnd(error: unknown, aborted: boolean): CallEnd {
  if (aborted) return { interrupted: true }
  if (error instanceof UnreadFile && error.seen !== null) return { seen: error.seen }
  return error instanceof PermissionRejectedError ? { rejected: true } : {}
}

/** Without accounts there is only one user, so nothing is recorded. */
function callLeave(status: CallLeave["leave"]["status"], by: Caller | undefined): Partial<CallLeave> {
  return by?.name === undefined ? {} : { leave: { status, by: by.person, byName: by.name } }
}

function stoppedText(signal: AbortSignal): string {
  const { reason } = signal
  if (reason instanceof LimitReached || reason instanceof DatabaseLost || reason instanceof EndedByProgram) {
    return `The tool call was stopped: ${reason.message}`
  }
  return reason instanceof ServiceStopping
    ? "The tool call was stopped because Docket was stopped."
    : "The tool call was stopped by the user."
}

async function toolContext(
  deps: CallsDeps,
  turn: TurnContext,
  { part, underWay }: StartedCall,
  {
    hooked,
    progress,
    step,
    counted,
    offered,
  }: { hooked: HookedCall; progress: Progress; step: Step; counted: CountedTime | null; offered: Tool[] },
): Promise<ToolContext> {
  const { session } = turn
  const outputDirectory = await deps.outputDirectory(session.id)
  const { rules, ceilings, signal } = turn
  const asker = { session, rules, ceilings, messageID: part.messageID, callID: part.callID, signal }
  /** Waits for a user. If the user has rejected a call of this step meanwhile, its other calls do not ask any more. */
  const waiting = <T>(wait: () => Promise<T>): Promise<T> => {
    if (step.rejected) throw new PermissionRejectedError(null)
    return counted === null ? wait() : counted.pauseFor(wait)
  }
  return {
    sessionID: session.id,
    messageID: part.messageID,
    partID: part.id,
    callID: part.callID,
    agent: turn.agent.name,
    model: turn.model,
    directory: session.directory,
    worktree: turn.project.worktree,
    outputDirectory,
    ...(await turn.waits.during("the place of the tools", () => deps.machineOf(turn))),
    ownDirectories: deps.ownDirectories,
    directoryLimits: deps.workspace.limits(),
    ownPlan: await ownPlanOf(turn),
    skillDirectories: turn.skills.map(({ place }) => place),
    closed: {
      patterns: restrictedPatterns("read", [rules, ...ceilings]),
      among: (files, command) => deps.broker.closedFiles({ session, rules, ceilings, files, command }),
    },
    confinement: () => turn.waits.during("the sandbox", () => deps.confinementOf(turn, outputDirectory)),
    variables: () => deps.variablesOf(turn),
    mayReachLocally: (address) => allowsLocalAddress(address, [rules, ...ceilings]),
    shellEnv: (env, command) =>
      deps.hooks.shellEnv({ ...env, ...traceVariables(deps.trace) }, { ...hooked, ...command }),
    bound: (work) => deps.boundOf(turn, work),
    signal: turn.signal,
    earlier: earlierCalls(turn.transcript),
    known: step.known,
    newInstructions: step.newInstructions,
    progress: progress.update,
    noteWriting: progress.noteWriting,
    underWay: underWay.resolve,
    beforeChange: step.files.before,
    beforeWrite: (texts) => deps.hooks.beforeWrite(texts, hooked),
    keepFile: ({ bytes, filename }) =>
      deps.attachments.keep(session, { mime: "", url: toDataUrl("", bytes), filename }, signal),
    async afterChange(file, written, before) {
      step.files.after(file, written)
      return written === null ? null : deps.hooks.fileChanged(file, hooked, before)
    },
    runCalls: (calls) => runBatched(deps, turn, { batch: part, calls, offered, step }),
    async ask(request) {
      const answered = await turn.waits.during(`a permission (${request.permission})`, () =>
        waiting(() => deps.broker.ask({ ...asker, request })),
      )
      if (answered?.status === "once" || answered?.status === "always")
        progress.update({ metadata: callLeave(answered.status, answered.by) })
    },
    askModel: (asked) => askModel(deps, turn, asked),
    inquire: (request) =>
      turn.waits.during("the answer of a person", async () =>
        waiting(() => deps.broker.inquire({ ...asker, request })),
      ),
    refuseChanges: (commands) => deps.broker.refuseChanges({ sessionID: session.id, rules, ceilings, commands }),
  }
}

/**
 * Without git, a session's plan is stored in Docket's own data: agents of the session read it, and plan mode writes it.
 */
async function ownPlanOf({ session, project, agent }: TurnContext): Promise<ToolContext["ownPlan"]> {
  if (session.plan === undefined || project.git) return null
  const file = planPath(await realpathOfDeepest(project.worktree), session.plan)
  return { file, mayEdit: agent.name === planAgent }
}

/** What a running call reports. */
interface Progress {
  update: ToolContext["progress"]
  noteWriting: ToolContext["noteWriting"]
  /** The metadata for the end of the call; it leaves out what `noteWriting` recorded. */
  metadata(): Record<string, unknown>
  title(): string | undefined
  stop(): void
}

/** The same progress, each piece of which is one of the wait, too. */
function moving(progress: Progress, { moved }: Wait): Progress {
  return {
    ...progress,
    update(change) {
      moved()
      progress.update(change)
    },
  }
}

function trackProgress(turn: TurnContext, call: StartedCall): Progress {
  let noted: Record<string, unknown> = call.part.state.metadata
  let metadata: Record<string, unknown> = {}
  let title: string | undefined
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  let due = false
  const shown = (): ToolPart => {
    const state = {
      status: "running",
      input: call.part.state.input,
      ...(title !== undefined && { title }),
      metadata: { ...metadata, ...noted },
      time: { start: call.startedAt },
    } as const
    return { ...call.part, state }
  }
  const write = () => {
    timer = null
    if (stopped || !due) return
    due = false
    void turn.writer.part(shown())
    // Counted by a timer and not by the clock, which may be set back.
    timer = setTimeout(write, progressMs)
  }
  return {
    noteWriting(writings) {
      const [first = null] = writings
      noted = (
        writings.length > 1 ? { writing: null, writings: [...writings] } : { writing: first }
      ) satisfies CallWriting
      return turn.writer.part(shown(), { quiet: true })
    },
    update(change) {
      if (stopped) return
      title = change.title ?? title
      metadata = { ...metadata, ...change.metadata }
      due = true
      timer ??= setTimeout(write, 0)
    },
    metadata: () => metadata,
    title: () => title,
    stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

function earlierCalls(transcript: Transcript): EarlierCalls {
  return {
    includes: (messageID) => transcript.get(messageID) !== undefined,
    last(tools) {
      for (const { info, parts } of transcript.all().toReversed()) {
        for (const part of parts.toReversed()) {
          if (part.type !== "tool" || !tools.includes(part.tool) || part.state.status !== "completed") continue
          return { at: part.state.time.start, partID: part.id }
        }
        if (isCompactionSummary(info)) return { at: info.time.created, partID: null }
      }
      return null
    },
  }
}
