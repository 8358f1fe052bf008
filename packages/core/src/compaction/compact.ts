import { compactionRequest } from "../agent/compaction-prompt.ts"
import { toModelPrompt } from "../message/to-model-prompt.ts"
import { addTokens, noTokens } from "../message/token-usage.ts"
import { processStream } from "../prompt/process-stream.ts"
import { ProviderStreamError, readStream } from "../prompt/read-stream.ts"
import type { LoopDeps, TurnContext } from "../prompt/turn-context.ts"
import { waitToRetry } from "../prompt/wait-to-retry.ts"
import { writeUserMessage } from "../prompt/write-user-message.ts"
import type { AssistantMessage, MessageError, MessageWithParts } from "../schema/index.ts"
import { stopError } from "../session/stop-reason.ts"
import { openTodosOf } from "../todo/open-todos-of.ts"

/** What an automatic compaction tells the agent afterwards. */
const continueText =
  "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed."

/** A text with the open todos below, so that none is lost with the conversation. */
function withTodos(text: string, todos: string | null): string {
  return todos === null ? text : `${text}\n\nOpen todos (they stay as they are; read them with todoread):\n${todos}`
}

/**
 * Replaces the transcript for the model by a summary that the compaction agent writes; the rows stay.
 * @returns the error when no summary could be made; the transcript is then unchanged
 */
export async function compact(
  deps: LoopDeps,
  turn: TurnContext,
  options: { auto: boolean },
): Promise<MessageError | null> {
  const todos = await openTodosOf(deps.store.todo, turn.session.id)
  const before = turn.transcript.all()
  const request = writeUserMessage(deps, turn, [{ type: "compaction", auto: options.auto }])
  const text = withTodos(compactionRequest, todos)
  let message = startSummary(deps, turn, request.id)
  for (let attempt = 1; ; attempt++) {
    const failed = await writeSummary(deps, turn, { message, before, request: text })
    if (failed === null) break
    const { error, delay } = judge(deps, turn, { ...failed, attempt })
    const begun = (turn.transcript.get(message.id)?.parts ?? []).some((part) => part.type === "text")
    if (delay === null || begun) await closeFailed(deps, turn, { message, error })
    if (delay === null) return error
    if (begun) message = startSummary(deps, turn, request.id)
    await waitToRetry(deps, turn, { message, error, attempt, delay })
  }
  turn.transcript.startAt(message.id)
  if (options.auto) {
    turn.userMessage = writeUserMessage(deps, turn, [
      { type: "text", text: withTodos(continueText, todos), synthetic: true },
    ])
  }
  await turn.writer.settled()
  return null
}

function compactionModel(turn: TurnContext) {
  const agent = turn.agents.find((candidate) => candidate.name === "compaction")
  return { prompt: agent?.prompt, model: agent?.model ?? turn.model }
}

function startSummary(deps: LoopDeps, turn: TurnContext, parentID: string): AssistantMessage {
  const message: AssistantMessage = {
    id: deps.createID("message"),
    sessionID: turn.session.id,
    role: "assistant",
    parentID,
    agent: "compaction",
    model: compactionModel(turn).model,
    finish: null,
    error: null,
    summary: true,
    cost: 0,
    tokens: noTokens,
    time: { created: deps.clock(), completed: null },
  }
  void turn.writer.message(message).catch(() => {})
  return message
}

interface SummaryInput {
  message: AssistantMessage
  before: MessageWithParts[]
  request: string
}

/** @returns what went wrong, or null once the summary is stored */
async function writeSummary(
  deps: LoopDeps,
  turn: TurnContext,
  { message, before, request }: SummaryInput,
): Promise<{ cause: unknown } | null> {
  const { prompt: system, model } = compactionModel(turn)
  try {
    const resolved = await deps.models.resolve(model, turn.config)
    const prompt = [
      ...(system ? [{ role: "system" as const, content: system }] : []),
      ...toModelPrompt(before, model),
      { role: "user" as const, content: [{ type: "text" as const, text: request }] },
    ]
    const stream = readStream(resolved.model, { prompt }, { signal: turn.signal, timeoutMs: deps.providerTimeoutMs })
    const result = await processStream(
      { writer: turn.writer, createID: deps.createID, clock: deps.clock },
      message,
      stream,
    )
    checkSummary(turn, message, result.finish)
    const cost = deps.models.costOf(resolved.info, result.usage)
    const finished = { ...message, finish: result.finish ?? "unknown", cost, tokens: result.usage }
    turn.session = {
      ...turn.session,
      cost: turn.session.cost + cost,
      tokens: addTokens(turn.session.tokens, result.usage),
    }
    void turn.writer.session({ cost: turn.session.cost, tokens: turn.session.tokens }).catch(() => {})
    await turn.writer.message({ ...finished, time: { ...message.time, completed: deps.clock() } })
    return null
  } catch (cause) {
    return { cause }
  }
}

/** What a failed attempt means, and how long to wait for the next (ms); null when there is none. */
function judge(
  deps: LoopDeps,
  turn: TurnContext,
  { cause, attempt }: { cause: unknown; attempt: number },
): { error: MessageError; delay: number | null } {
  if (turn.signal.aborted) return { error: stopError(turn.signal), delay: null }
  const error = deps.models.toMessageError(cause, compactionModel(turn).model)
  return { error, delay: error.retryable ? deps.models.retryDelay(attempt, cause) : null }
}

async function closeFailed(
  deps: LoopDeps,
  turn: TurnContext,
  { message, error }: { message: AssistantMessage; error: MessageError },
): Promise<void> {
  await turn.writer.message({ ...message, summary: false, error, time: { ...message.time, completed: deps.clock() } })
}

/** A summary that was cut off or says nothing must not take the place of the conversation. */
function checkSummary(turn: TurnContext, message: AssistantMessage, finish: string | null): void {
  if (finish === null) throw new ProviderStreamError("The provider closed the stream before its end.")
  if (finish === "error" || finish === "content-filter") {
    throw new ProviderStreamError(`The provider ended the summary with "${finish}".`)
  }
  const parts = turn.transcript.get(message.id)?.parts ?? []
  if (parts.some((part) => part.type === "text" && part.text.trim() !== "")) return
  throw new ProviderStreamError("The provider sent an empty summary.")
}
