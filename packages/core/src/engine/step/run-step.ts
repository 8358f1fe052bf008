import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { Tool } from "../../acts/tool/tool.ts"
import { toolSchemas } from "../../acts/tool/tool-schemas.ts"
import { noTokens } from "../../ground/message/usage.ts"
import type {
  AssistantMessage,
  MessageError,
  MessageWithParts,
  TokenUsage,
  ToolPart,
} from "../../ground/schema/index.ts"
import type { Store, TranscriptStore } from "../../ground/store/index.ts"
import type { Attachments } from "../../records/attachment/create-attachments.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { ProviderStreamError, readStream } from "../../setup/provider/read-stream.ts"
import { type CallsDeps, executeCalls } from "../calls/execute-calls.ts"
import { countedTokens, fitWindow, windowOf } from "../compaction/fit-window.ts"
import type { RefusedStep } from "../compaction/make-room.ts"
import { isOverflow, unitsPerToken } from "../compaction/overflow.ts"
import { resultTokens } from "../compaction/prune.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import type { Hooks } from "../loop/hooks.ts"
import type { OpenStep } from "../loop/open-step.ts"
import { stopError } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { waitToRetry } from "../loop/wait-to-retry.ts"
import { type Stamp, startMessage } from "../loop/write-message.ts"
import { modelOptions } from "../prompt/model-options.ts"
import { modelRequest } from "../prompt/model-request.ts"
import { todoNotice } from "../prompt/todo-notice.ts"
import type { AnswerFilesDeps } from "./answer-files.ts"
import { describedTools } from "./defer-tools.ts"
import { processStream, type StepResult } from "./process-stream.ts"
import { type InlineCommandsDeps, runAnswerCommands } from "./run-inline-commands.ts"

export type StepDeps = CallsDeps &
  InlineCommandsDeps & {
    store: Pick<Store, "todo" | "transcript">
    models: Omit<LoopModels, "smallModel">
    hooks: Hooks
    attachments: Pick<Attachments, "keep" | "read">
    /** At most two texts; the first is stable, so that the provider can cache it. `offered` are the turn's tools. */
    systemPrompt(turn: TurnContext, offered: Tool[]): Promise<string[]>
    /** Text that the loop adds to the last user message, for the model only. */
    reminder(turn: TurnContext, offered: Tool[]): Promise<string | null>
    /** Longest silence of a provider (ms), before the first byte and between two. */
    providerTimeoutMs: number
  }

/** One model call with its tool calls, as one assistant message. Retries failures that may be temporary. */
export async function runStep(
  deps: StepDeps,
  turn: TurnContext,
  { last, offered }: { last: boolean; offered: Tool[] },
): Promise<StepOutcome> {
  const limits = { signal: turn.signal, timeoutMs: deps.providerTimeoutMs }
  let message = startMessage(deps, turn)
  for (let attempt = 1; ; attempt++) {
    // A model must not read what a crash could undo. So the results of the step before are stored first, together with
    // the beginning of this step. The files of the system prompt are read meanwhile.
    const [system] = await Promise.all([
      turn.system ?? turn.waits.during("the system prompt", () => systemOf(deps, turn, offered)),
      turn.waits.during("the database", () => turn.writer.settled()),
    ])
    turn.system = system
    let resolved: ResolvedModel
    let sent: SentRequest
    let result: StepResult
    try {
      resolved = await turn.waits.during(`the settings of ${modelName(turn)}`, () =>
        deps.models.resolve(turn.model, turn.config),
      )
      sent = await stepRequest(deps, turn, { last, resolved, offered, system })
      const excess = windowExcess(turn, sent.tokens, resolved)
      if (excess !== null) return { next: "refused", message, error: excess }
      const [options, headers] = await turn.waits.during("extensions before a call of the model", async () => [
        await deps.hooks.parameters(modelOptions(turn, resolved), turn),
        await deps.hooks.headers({}, turn),
      ])
      const keep: AnswerFilesDeps["keep"] = (file) => deps.attachments.keep(turn.session, file, turn.signal)
      const { createID, clock } = deps
      const messageID = message.id
      const complete = (text: string, partID: string) => deps.hooks.text(text, { turn, messageID, partID })
      const { model } = resolved
      const call = { ...sent.request, ...options, headers }
      const begun = message
      result = await turn.waits.during(`the next piece of ${modelName(turn)}`, ({ moved }) => {
        const stream = readStream(model, call, { ...limits, onPiece: moved })
        return processStream({ writer: turn.writer, createID, clock, keep, complete }, begun, stream)
      })
      if (result.finish === null) throw new ProviderStreamError("The provider closed the stream before its end.")
      message = takeChanges(turn, message)
    } catch (error) {
      message = takeChanges(turn, message)
      const failure = await settleFailure(deps, turn, { message, error, attempt })
      if (failure.next !== "retry") return failure
      message = failure.message
      continue
    }
    return finishStep(deps, turn, { message, result, resolved, sent, offered, last })
  }
}

function modelName({ model }: Pick<TurnContext, "model">): string {
  return `the model ${model.providerID}/${model.modelID}`
}

/** The message with what extensions changed of it. */
function takeChanges(turn: Pick<TurnContext, "changed">, message: AssistantMessage): AssistantMessage {
  if (turn.changed.length === 0) return message
  const all = [...(message.changed ?? []), ...turn.changed]
  turn.changed = []
  return { ...message, changed: [...new Map(all.map((one) => [`${one.what} ${one.by}`, one])).values()] }
}

async function systemOf(deps: StepDeps, turn: TurnContext, offered: Tool[]): Promise<string[]> {
  return deps.hooks.systemPrompt(await deps.systemPrompt(turn, offered), turn)
}

interface SentRequest {
  request: LanguageModelV4CallOptions
  /** A lower estimate, see `fitWindow`. */
  tokens: number
  /** See `fitWindow`. */
  units(): number
}

async function stepRequest(
  deps: StepDeps,
  turn: TurnContext,
  { last, resolved, offered, system }: { last: boolean; resolved: ResolvedModel; offered: Tool[]; system: string[] },
): Promise<SentRequest> {
  const [reminder, todos] = await Promise.all([deps.reminder(turn, offered), todoNotice(deps, turn, offered)])
  const notes = [reminder, todos, last ? lastStepText : null]
  const { head, ...request } = await modelRequest({
    model: turn.model,
    resolved,
    system,
    transcript: turn.transcript,
    messages: await deps.hooks.messages(turn.transcript.all(), turn),
    readContent: async (hash) => (await deps.attachments.read(turn.session.rootID, hash))?.bytes ?? null,
    notes: notes.filter((note) => note !== null),
    tools: await Promise.all(
      toolSchemas(describedTools(offered, turn.transcript)).map((tool) => deps.hooks.toolDefinition(tool, turn)),
    ),
    mayCall: !last,
  })
  const { prompt, tooLong, tokens, units } = fitWindow({ ...request, head }, resolved.info.limit)
  tellShortened(deps, turn, resolved, tooLong)
  return { request: { ...request, prompt }, tokens, units }
}

/**
 * The error for a request of at least `least` tokens that exceeds the model's window. Null when it fits or is unknown.
 */
function windowExcess(turn: TurnContext, least: number, { info }: ResolvedModel): MessageError | null {
  const window = windowOf(info.limit)
  if (window === null) return null
  const tokens = Math.max(least, countedTokens(turn.transcript, turn.model))
  if (tokens <= window) return null
  const sizes = `At least ${tokens.toLocaleString("en-US")} tokens would be sent, and ${info.name} takes ${window.toLocaleString("en-US")}.`
  const message = `${sizes} Choose a model with a larger context, or start a new session.`
  return { name: "ContextOverflowError", message, statusCode: null, retryable: false }
}

const lastStepText =
  "<system-reminder>This is the last step of this turn: tools are off. Say what was done, what is left, and what to do next.</system-reminder>"

interface FinishedStep {
  message: AssistantMessage
  result: StepResult
  resolved: ResolvedModel
  sent: SentRequest
  offered: Tool[]
  last: boolean
}

async function finishStep(deps: StepDeps, turn: TurnContext, step: FinishedStep): Promise<StepOutcome> {
  const { message, result, resolved, offered } = step
  const { writer } = turn
  const cost = deps.models.costOf(resolved.info, result.usage)
  await tellCut(deps, turn, { resolved, least: step.sent.tokens, usage: result.usage })
  const finish = result.finish ?? "unknown"
  void writer.stepFinish({
    id: deps.createID("part"),
    sessionID: message.sessionID,
    messageID: message.id,
    type: "step-finish",
    reason: finish,
    tokens: result.usage,
    cost,
  })
  const unfit = step.last ? afterLastStep : unfitCalls[finish]
  const allowed = unfit === undefined ? result.calls.slice(0, deps.hooks.stepLimit(turn.session).calls) : []
  deps.hooks.stepUsed(turn.session, { tokens: result.usage, cost, toolCalls: allowed.length })
  failCalls(deps, turn, unfinished(turn, message, result.calls), brokenOff)
  failCalls(deps, turn, result.calls.slice(allowed.length), unfit ?? overLimit)
  return endStep(deps, turn, {
    message,
    finish,
    usage: result.usage,
    cost,
    calls: allowed,
    hasCalls: result.calls.length > 0,
    offered,
    limit: resolved.info.limit,
    unreported: unreportedUnits(step),
  })
}

/**
 * The size of the sent conversation (UTF-16 units) when the provider reports no usage: some providers truncate a long
 * prompt silently.
 */
function unreportedUnits({ result: { usage }, sent }: FinishedStep): number {
  return usage.input + usage.cache.read + usage.cache.write > 0 ? 0 : sent.units()
}

const overLimit = "Not run: the limit of tool calls was reached."
const afterLastStep = "Not run: this was the last step of the turn, in which no tools can be called."
const brokenOff = "The answer broke off before the call was complete; it was not run."

/** Why calls of an answer with this finish reason are not run. */
const unfitCalls: Partial<Record<string, string>> = {
  length:
    "The answer hit the output limit, so the arguments may be cut off and the call was not run. Send it again, shorter.",
  "content-filter": "The provider's content filter stopped the answer; the call was not run.",
  error: "The provider ended the answer with an error; the call was not run.",
}

function pendingCalls(turn: TurnContext, message: AssistantMessage): ToolPart[] {
  const parts = turn.transcript.get(message.id)?.parts ?? []
  return parts.filter((part): part is ToolPart => part.type === "tool" && part.state.status === "pending")
}

/** Calls whose arguments began to stream and never ended. */
function unfinished(turn: TurnContext, message: AssistantMessage, completed: ToolPart[]): ToolPart[] {
  const ids = new Set(completed.map((call) => call.id))
  return pendingCalls(turn, message).filter((call) => !ids.has(call.id))
}

interface Failure {
  message: AssistantMessage
  error: unknown
  attempt: number
}

/** Closes what the failed attempt left open and gives up, or waits and returns the message of the next attempt. */
async function settleFailure(
  deps: StepDeps,
  turn: TurnContext,
  failure: Failure,
): Promise<{ next: "retry"; message: AssistantMessage } | Exclude<StepOutcome, { overflow: boolean }>> {
  const { message, attempt } = failure
  const error: MessageError = turn.signal.aborted
    ? stopError(turn.signal)
    : deps.models.toMessageError(failure.error, turn.model)
  const parts = turn.transcript.get(message.id)?.parts ?? []
  failCalls(deps, turn, pendingCalls(turn, message), brokenOff)
  if (error.name === "ContextOverflowError") {
    await turn.writer.settled()
    return { next: "refused", message, error }
  }
  const delay = error.retryable ? deps.models.retryDelay(attempt, failure.error) : null
  const visible = parts.some(
    (part) =>
      part.type === "tool" ||
      part.type === "file" ||
      ((part.type === "text" || part.type === "reasoning") && part.text !== ""),
  )
  if (delay === null || visible) {
    void turn.writer.message({ ...message, error, time: { ...message.time, completed: deps.clock() } })
  } else {
    // The provider's metadata of incomplete reasoning must not be sent with the next attempt.
    const begun = parts.filter((part) => part.type === "text" || part.type === "reasoning")
    for (const part of begun) void turn.writer.removePart(part)
  }
  await turn.writer.settled()
  if (delay === null) return { next: "failed", error }
  const next = visible ? startMessage(deps, turn) : message
  await waitToRetry(deps, turn, { message: next, error, attempt, delay })
  if (!turn.signal.aborted) return { next: "retry", message: next }
  const stopped = stopError(turn.signal)
  await turn.writer.message({ ...next, error: stopped, time: { ...next.time, completed: deps.clock() } })
  return { next: "failed", error: stopped }
}

/** A stored answer of the model, with the calls to make. */
interface AnsweredStep {
  message: AssistantMessage
  finish: string
  usage: TokenUsage
  cost: number
  /** Calls to make, in order. */
  calls: ToolPart[]
  /** Whether the answer contains any tool calls. */
  hasCalls: boolean
  offered: Tool[]
  limit: ResolvedModel["info"]["limit"]
  /** Size of the sent conversation when the provider reports no usage (UTF-16 units); else 0. */
  unreported: number
}

const noCalls = { rejected: false, ended: false }

/** Makes the calls of an answer and ends its message. */
async function endStep(
  deps: CallsDeps & InlineCommandsDeps,
  turn: TurnContext,
  step: AnsweredStep,
): Promise<StepOutcome> {
  const { message, finish, usage, cost, calls } = step
  const { rejected, ended } = calls.length > 0 ? await executeCalls(deps, turn, calls, step.offered) : noCalls
  const error = finishError(step, turn.signal)
  const time = { ...message.time, completed: deps.clock() }
  void turn.writer.message({ ...message, finish, error, cost, tokens: usage, time })
  const isCut = error?.name === "OutputLengthError"
  if (error !== null && !isCut) return { next: "failed", error }
  const overflow = isOverflow(usage, step.limit, step.unreported + outputUnits(turn, message))
  if (rejected) return { next: "rejected", overflow }
  if (ended) return { next: "stop", overflow }
  const again = await runAnswerCommands(deps, turn, { messageID: message.id, finished: finish !== "length" })
  if (isCut && !again) return { next: "cut", error, overflow }
  return { next: again || step.hasCalls ? "continue" : "stop", overflow }
}

/** The size of the outputs of a step's tools (UTF-16 units). */
function outputUnits(turn: TurnContext, message: AssistantMessage): number {
  const parts = turn.transcript.get(message.id)?.parts ?? []
  return parts.reduce((sum, part) => {
    if (part.type !== "tool") return sum
    if (part.state.status === "completed") return sum + resultTokens(part.state) * unitsPerToken
    return part.state.status === "error" ? sum + part.state.error.length : sum
  }, 0)
}

function finishError({ finish, usage, hasCalls }: AnsweredStep, signal: AbortSignal): MessageError | null {
  const base = { statusCode: null, retryable: false }
  if (signal.aborted) return stopError(signal)
  // Calls that were cut are reported to the model, which makes them again.
  if (finish === "length" && !hasCalls) {
    const after = usage.output > 0 ? ` after ${usage.output.toLocaleString("en-US")} tokens` : ""
    const message = `The answer was cut at the model's output limit${after}. Continue, and it goes on where it was cut.`
    return { ...base, name: "OutputLengthError", message }
  }
  if (finish === "content-filter") {
    return {
      ...base,
      name: "ContentFilterError",
      message: "The provider's content filter stopped the answer. Rephrase the request.",
    }
  }
  if (finish === "error") {
    return { ...base, name: "APIError", message: "The provider ended the answer with an error. Try again." }
  }
  return null
}

/** Continues a step that waited for a person when the process ended: makes the calls that have not ended. */
export async function resumeStep(
  deps: StepDeps,
  turn: TurnContext,
  { message, calls }: OpenStep,
  offered: Tool[],
): Promise<StepOutcome> {
  const { info } = await deps.models.resolve(turn.model, turn.config)
  const parts = turn.transcript.get(message.id)?.parts ?? []
  const finish = parts.findLast((part) => part.type === "step-finish")
  return endStep(deps, turn, {
    message,
    finish: finish?.reason ?? "tool-calls",
    usage: finish?.tokens ?? noTokens,
    cost: finish?.cost ?? 0,
    calls,
    hasCalls: true,
    offered,
    limit: info.limit,
    unreported: 0,
  })
}

/** What the loop does next. */
export type StepOutcome =
  | { next: "continue" | "stop" | "rejected"; overflow: boolean }
  | { next: "failed"; error: MessageError }
  /** The output limit cut the answer, and nothing follows. */
  | { next: "cut"; error: MessageError; overflow: boolean }
  | ({ next: "refused" } & RefusedStep)

interface NoticeDeps extends Stamp {
  store: { transcript: Pick<TranscriptStore, "page"> }
}

/** Servers that report fewer tokens report no real usage: every request of Docket is larger. */
const leastCounted = 1_500

/** A count below this share of the lower estimate means that the prompt was truncated. */
const tolerance = 0.9

/** Tells the user, once per size (UTF-16 units), that the model reads only the beginning and the end of a text. */
function tellShortened(deps: Stamp, turn: TurnContext, resolved: ResolvedModel, sizes: readonly number[]): void {
  if (sizes.length === 0) return
  const texts = sizes.map(
    (size) =>
      `A text of ${size.toLocaleString("en-US")} characters is too long for ${resolved.info.name}, which reads its beginning and its end. It stays whole here. To have all of it read, put it into a file, or choose a model with a larger context.`,
  )
  const known = new Set(windowTexts(turn.transcript.all()))
  for (const text of new Set(texts)) if (!known.has(text)) write(deps, turn, text)
}

/**
 * Tells the user once per session that the model's server silently truncates prompts: it counted fewer tokens than the
 * sent request must have (`least`).
 */
async function tellCut(
  deps: NoticeDeps,
  turn: TurnContext,
  sent: { resolved: ResolvedModel; least: number; usage: TokenUsage },
): Promise<void> {
  const { resolved, least, usage } = sent
  // The model vendors' own services reject a prompt that is too long.
  if (resolved.npm !== "@ai-sdk/openai-compatible" || turn.cutTold) return
  const counted = usage.input + usage.cache.read + usage.cache.write
  if (counted < leastCounted) return
  if (counted >= least * tolerance) return
  turn.cutTold = true
  if (await isCutTold(deps, turn.session.id)) return
  const { id, name, providerID } = resolved.info
  const number = (tokens: number) => tokens.toLocaleString("en-US")
  write(
    deps,
    turn,
    `${cutOpening} ${name} counted ${number(counted)} tokens of a request that has ${number(least)} at the least, so it does not know all of this conversation. Give the model a larger context on its server (Ollama: OLLAMA_CONTEXT_LENGTH; llama.cpp: --ctx-size; LM Studio: Context Length of the loaded model), and set limit.context of ${providerID}/${id} in docket.json to the same, so that Docket makes room in time.`,
  )
}

const cutOpening = "The server of this model cuts prompts without saying so."

/** Messages per page; the search includes messages before earlier summaries. */
const pageSize = 200

async function isCutTold({ store }: NoticeDeps, sessionID: string): Promise<boolean> {
  let before: string | undefined
  while (true) {
    const page = await store.transcript.page({ sessionID, ...(before !== undefined && { before }), limit: pageSize })
    if (windowTexts(page.items).some((text) => text.startsWith(cutOpening))) return true
    if (page.before === null) return false
    before = page.before
  }
}

function windowTexts(messages: readonly MessageWithParts[]): string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" && part.notice?.kind === "window" ? [part.notice.text] : [])),
  )
}

function write(deps: Stamp, turn: TurnContext, text: string): void {
  const { id: messageID, sessionID } = turn.userMessage
  const place = { id: deps.createID("part"), sessionID, messageID }
  void turn.writer.part({ ...place, type: "text", text, synthetic: true, notice: { kind: "window", text } })
}

/** Rejects calls: each gets `reason` as its error. The caller awaits `writer.settled`. */
function failCalls(
  deps: Pick<Stamp, "clock">,
  turn: Pick<TurnContext, "writer">,
  calls: ToolPart[],
  reason: string,
): void {
  const now = deps.clock()
  for (const call of calls) {
    const state = {
      status: "error",
      input: call.state.input,
      error: reason,
      metadata: {},
      time: { start: now, end: now },
    } as const
    void turn.writer.part({ ...call, state })
  }
}
