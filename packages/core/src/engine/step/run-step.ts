import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { Tool } from "../../acts/tool/tool.ts"
import { toolSchemas } from "../../acts/tool/tool-schemas.ts"
import { hiddenTools } from "../../ground/rule/index.ts"
import type { AssistantMessage, MessageError, ToolPart } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { ProviderStreamError, readStream } from "../../setup/provider/read-stream.ts"
import type { CallsDeps } from "../calls/execute-calls.ts"
import { failCalls } from "../calls/fail-calls.ts"
import { countedTokens, fitWindow, windowOf } from "../compaction/fit-window.ts"
import type { Hooks } from "../loop/hooks.ts"
import type { LoopModels } from "../loop/loop-models.ts"
import { startMessage } from "../loop/start-message.ts"
import { stopError } from "../loop/stop-reason.ts"
import { type ToolSource, toolsOf } from "../loop/tool-source.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { waitToRetry } from "../loop/wait-to-retry.ts"
import { modelOptions } from "../prompt/model-options.ts"
import { modelRequest } from "../prompt/model-request.ts"
import { todoNotice } from "../prompt/todo-notice.ts"
import { endStep } from "./end-step.ts"
import { processStream, type StepResult } from "./process-stream.ts"
import type { StepOutcome } from "./step-outcome.ts"
import { tellCut, tellShortened } from "./window-notices.ts"
import type { WritsDeps } from "./writs-deps.ts"

export type StepDeps = CallsDeps &
  WritsDeps & {
    store: Pick<Store, "todo" | "transcript">
    models: Omit<LoopModels, "smallModel">
    hooks: Hooks
    toolSources: readonly ToolSource[]
    /** At most two strings: the stable first part caches well. `offered` are the tools of the turn. */
    systemPrompt(turn: TurnContext, offered: Tool[]): Promise<string[]>
    /** Text that the loop adds to the last user message for the model only. */
    reminder(turn: TurnContext, offered: Tool[]): Promise<string | null>
    /** Longest silence of a provider in ms: before the first byte and between two. */
    providerTimeoutMs: number
  }

/** One model call with its tool calls: one assistant message. Retries what may be retried. */
export async function runStep(
  deps: StepDeps,
  turn: TurnContext,
  { last, offered }: { last: boolean; offered: Tool[] },
): Promise<StepOutcome> {
  const limits = { signal: turn.signal, timeoutMs: deps.providerTimeoutMs }
  let message = startMessage(deps, turn)
  for (let attempt = 1; ; attempt++) {
    // A model reads nothing that a crash could take back, so what the step before brought is stored first, together with
    // the beginning of this one. The files behind the system prompt are read meanwhile.
    const [system] = await Promise.all([turn.system ?? systemOf(deps, turn, offered), turn.writer.settled()])
    turn.system = system
    let resolved: ResolvedModel
    let sent: SentRequest
    let result: StepResult
    try {
      resolved = await deps.models.resolve(turn.model, turn.config)
      sent = await stepRequest(deps, turn, { last, resolved, offered, system })
      const excess = windowExcess(turn, sent.tokens, resolved)
      if (excess !== null) return { next: "refused", message, error: excess }
      const options = await deps.hooks.parameters(modelOptions(turn, resolved), turn)
      const headers = await deps.hooks.headers({}, turn)
      const stream = readStream(resolved.model, { ...sent.request, ...options, headers }, limits)
      result = await processStream({ writer: turn.writer, createID: deps.createID, clock: deps.clock }, message, stream)
      if (result.finish === null) throw new ProviderStreamError("The provider closed the stream before its end.")
    } catch (error) {
      const failure = await settleFailure(deps, turn, { message, error, attempt })
      if (failure.next !== "retry") return failure
      message = failure.message
      continue
    }
    return finishStep(deps, turn, { message, result, resolved, sent, offered, last })
  }
}

async function systemOf(deps: StepDeps, turn: TurnContext, offered: Tool[]): Promise<string[]> {
  return deps.hooks.systemPrompt(await deps.systemPrompt(turn, offered), turn)
}

/** The tools of a turn: all that the rules do not hide. */
export async function offeredTools(deps: Pick<StepDeps, "toolSources">, turn: TurnContext): Promise<Tool[]> {
  const tools = await toolsOf(deps.toolSources, turn)
  const hidden = hiddenTools(turn.rules, tools, turn.ceilings)
  return tools.filter((tool) => !hidden.has(tool.id))
}

interface SentRequest {
  request: LanguageModelV4CallOptions
  /** At the least, see `fitWindow`. */
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
    notes: notes.filter((note) => note !== null),
    tools: await Promise.all(toolSchemas(offered).map((tool) => deps.hooks.toolDefinition(tool, turn))),
    mayCall: !last,
  })
  const { prompt, tooLong, tokens, units } = fitWindow({ ...request, head }, resolved.info.limit)
  tellShortened(deps, turn, resolved, tooLong)
  return { request: { ...request, prompt }, tokens, units }
}

/** Why a request of at least so many tokens is not sent: it exceeds the model's window. Null when that is not known. */
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
 * The size of the conversation that was sent (UTF-16 units) where the provider does not say what it read; some cut off
 * what is too much without a word.
 */
function unreportedUnits({ result: { usage }, sent }: FinishedStep): number {
  return usage.input + usage.cache.read + usage.cache.write > 0 ? 0 : sent.units()
}

const overLimit = "Not run: the limit of tool calls was reached."
const afterLastStep = "Not run: this was the last step of the turn, in which no tools can be called."
const brokenOff = "The answer broke off before the call was complete; it was not run."

/** Why calls of an answer that ended in this way are not run. */
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

/** Calls whose arguments began to arrive and never ended. */
function unfinished(turn: TurnContext, message: AssistantMessage, completed: ToolPart[]): ToolPart[] {
  const ids = new Set(completed.map((call) => call.id))
  return pendingCalls(turn, message).filter((call) => !ids.has(call.id))
}

interface Failure {
  message: AssistantMessage
  error: unknown
  attempt: number
}

/** Closes what the failed attempt left open, waits, and gives the message of the next attempt; or gives up. */
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
    (part) => part.type === "tool" || ((part.type === "text" || part.type === "reasoning") && part.text !== ""),
  )
  if (delay === null || visible) {
    void turn.writer.message({ ...message, error, time: { ...message.time, completed: deps.clock() } })
  } else {
    // What the provider said of reasoning that never came must not go back with the next attempt's.
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
