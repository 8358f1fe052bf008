import { compactionRequest } from "../agent/compaction-prompt.ts"
import { toModelPrompt } from "../message/to-model-prompt.ts"
import { addTokens, noTokens } from "../message/token-usage.ts"
import { processStream } from "../prompt/process-stream.ts"
import { ProviderStreamError, readStream } from "../prompt/read-stream.ts"
import type { LoopDeps, TurnContext } from "../prompt/turn-context.ts"
import { writeUserMessage } from "../prompt/write-user-message.ts"
import type { AssistantMessage, MessageError } from "../schema/index.ts"
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
  const agent = turn.agents.find((candidate) => candidate.name === "compaction")
  const model = agent?.model ?? turn.model
  const resolved = await deps.models.resolve(model, turn.config)
  const before = turn.transcript.all()
  const todos = await openTodosOf(deps.store.todo, turn.session.id)
  const request = writeUserMessage(deps, turn, [{ type: "compaction", auto: options.auto }])
  const message: AssistantMessage = {
    id: deps.createID("message"),
    sessionID: turn.session.id,
    role: "assistant",
    parentID: request.id,
    agent: "compaction",
    model,
    finish: null,
    error: null,
    summary: true,
    cost: 0,
    tokens: noTokens,
    time: { created: deps.clock(), completed: null },
  }
  void turn.writer.message(message).catch(() => {})
  try {
    const prompt = [
      ...(agent?.prompt ? [{ role: "system" as const, content: agent.prompt }] : []),
      ...toModelPrompt(before, model),
      { role: "user" as const, content: [{ type: "text" as const, text: withTodos(compactionRequest, todos) }] },
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
  } catch (cause) {
    const error = turn.signal.aborted ? stopError(turn.signal) : deps.models.toMessageError(cause, model)
    await turn.writer.message({ ...message, summary: false, error, time: { ...message.time, completed: deps.clock() } })
    return error
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
