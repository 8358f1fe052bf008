import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { sendableText } from "../../ground/message/sendable-text.ts"
import { addUsage, noTokens, toTokenUsage } from "../../ground/message/usage.ts"
import type { AssistantMessage, MessageError, TokenUsage } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { compactionRequest } from "../../setup/agent/prompts.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { maxOutputTokens } from "../../setup/provider/model-choice.ts"
import {
  finishOf,
  maxAnswerLength,
  OutputLengthError,
  ProviderStreamError,
  readStream,
} from "../../setup/provider/read-stream.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import type { Hooks } from "../loop/hooks.ts"
import { stopError } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { waitToRetry } from "../loop/wait-to-retry.ts"
import type { Stamp } from "../loop/write-message.ts"
import { unitsPerToken, usableTokens } from "./overflow.ts"
import { shorten } from "./shorten.ts"

/** When the provider refuses even this much of a conversation, no smaller piece is tried (UTF-16 units). */
const leastRoom = 1_000
/** Fewer words than fit, so that a summary ends before it is cut off. */
const wordsPerToken = 0.5
const mostWords = 2_000

export interface CompactionDeps extends Stamp {
  store: Pick<Store, "todo" | "transcript">
  models: Pick<LoopModels, "resolve" | "toMessageError" | "retryDelay" | "costOf">
  hooks: Pick<Hooks, "stepUsed" | "compaction" | "goesOn" | "beforeCompaction" | "sessionStarts">
  /** Longest silence of a provider in ms, before the first byte and between two. */
  providerTimeoutMs: number
}

export interface SummaryModel extends ResolvedModel {
  /** The compaction agent's own prompt. */
  system: string
}

interface SummariseInput {
  model: SummaryModel
  /** The message of the summary, still open: it sums the cost of all pieces. */
  message: AssistantMessage
  entries: readonly string[]
  todos: string | null
}

type Summarised = { message: AssistantMessage } & (
  | { error: null; text: string /** What the model read at once (UTF-16 units). */; room: number }
  | { error: MessageError }
)

/**
 * Summarises a conversation of any length piece by piece, each together with the summary of the earlier ones. A piece
 * that the provider refuses as too long is halved; errors that allow a retry are retried.
 */
export async function summarise(deps: CompactionDeps, turn: TurnContext, input: SummariseInput): Promise<Summarised> {
  const { model, entries, todos } = input
  const words = Math.min(mostWords, Math.floor((maxSummaryTokens(model) ?? mostWords) * wordsPerToken))
  /** What each request contains besides the conversation and the earlier summary (UTF-16 units). */
  const fixed = model.system.length + compactionRequest({ conversation: "", earlier: "", todos, words }).length
  const usable = usableTokens(model.info.limit) ?? Number.POSITIVE_INFINITY
  let { message } = input
  let room = Math.max(usable * unitsPerToken - fixed, leastRoom)
  let text = ""
  let attempt = 1
  // A cut or empty summary is requested once more with half the words; if that is cut too, it is used.
  let shorter = false
  for (let at = 0; at < entries.length; ) {
    // Two thirds of the space stay for the conversation.
    const earlier = at === 0 ? null : shorten(text, room / 3)
    const piece = takePiece(entries, at, room - (earlier?.length ?? 0))
    const sentLength = piece.text.length + (earlier?.length ?? 0)
    const wordLimit = shorter ? Math.ceil(words / 2) : words
    const request = compactionRequest({ conversation: piece.text, earlier, todos, words: wordLimit })
    const reply = await reactTo(deps, turn, { model, attempt, answer: askForSummary(deps, turn, { model, request }) })
    switch (reply.kind) {
      case "written":
        message = countUsage(deps, turn, { message, model, answer: reply.answer })
        room = Math.max(Math.min(room, usable * unitsReported(reply.answer, sentLength + fixed) - fixed), leastRoom)
        attempt = 1
        if ((reply.answer.finish === "length" || reply.answer.text === "") && !shorter) {
          shorter = true
          break
        }
        if (reply.answer.text === "") return { message, error: unusable(model, "came back empty") }
        shorter = false
        text = reply.answer.text
        at = piece.next
        break
      case "too long":
        room = Math.floor(sentLength / 2)
        if (room < leastRoom) return { message, error: reply.error }
        break
      case "retry":
        await waitToRetry(deps, turn, { message, error: reply.error, attempt, delay: reply.delay })
        attempt += 1
        break
      case "failed":
        return { message, error: reply.error }
    }
  }
  return { message, error: null, text, room }
}

type Reply =
  | { kind: "written"; answer: SummaryAnswer }
  | { kind: "too long" | "failed"; error: MessageError }
  | { kind: "retry"; error: MessageError /** ms */; delay: number }

interface Attempt {
  model: SummaryModel
  attempt: number
  answer: Promise<SummaryAnswer>
}

async function reactTo(deps: CompactionDeps, turn: TurnContext, { model, attempt, answer }: Attempt): Promise<Reply> {
  try {
    return { kind: "written", answer: await answer }
  } catch (cause) {
    if (turn.signal.aborted) return { kind: "failed", error: stopError(turn.signal) }
    const { providerID, id: modelID } = model.info
    const error = deps.models.toMessageError(cause, { providerID, modelID })
    if (error.name === "ContextOverflowError") return { kind: "too long", error }
    const delay = error.retryable ? deps.models.retryDelay(attempt, cause) : null
    return delay === null ? { kind: "failed", error } : { kind: "retry", error, delay }
  }
}

/** UTF-16 units per token as the provider counted a request of `sentLength` units; at most the estimate. */
function unitsReported({ usage }: SummaryAnswer, sentLength: number): number {
  const tokens = usage.input + usage.cache.read + usage.cache.write
  return tokens === 0 ? unitsPerToken : Math.min(unitsPerToken, sentLength / tokens)
}

interface Counted {
  message: AssistantMessage
  model: SummaryModel
  answer: SummaryAnswer
}

/** Adds the usage and cost of an answer to its message, to the session and to the tasks that it belongs to. */
function countUsage(deps: CompactionDeps, turn: TurnContext, { message, model, answer }: Counted): AssistantMessage {
  const cost = deps.models.costOf(model.info, answer.usage)
  const used = { tokens: answer.usage, cost }
  const counted = { ...message, ...addUsage(message, used) }
  deps.hooks.stepUsed(turn.session, { ...used, toolCalls: 0 })
  void turn.writer.used(used)
  void turn.writer.message(counted)
  return counted
}

function unusable({ info }: SummaryModel, what: string): MessageError {
  const message = `The summary by ${info.name} ${what}. Send the prompt again, or choose another model.`
  return { name: "APIError", message, statusCode: null, retryable: false }
}

interface SummaryAnswer {
  text: string
  /** `stop`, `length`…; never null. */
  finish: string
  usage: TokenUsage
}

/**
 * The longest summary of a model in tokens, so that space is left for what follows it. Null when the limits are
 * unknown.
 */
function maxSummaryTokens({ info }: SummaryModel): number | null {
  const usable = usableTokens(info.limit)
  const most = Math.min(info.limit.output > 0 ? info.limit.output : maxOutputTokens, maxOutputTokens)
  if (usable === null) return info.limit.output > 0 ? most : null
  return Math.min(most, Math.max(Math.floor(usable / 4), leastSummaryTokens))
}

/** With fewer tokens, a reasoning model may produce no text at all. */
const leastSummaryTokens = 1_000

/**
 * Calls the compaction agent's model once. Only the text of the answer counts, not its calls or reasoning.
 * @throws the provider's error; ProviderStreamError when the answer broke off or was withheld; OutputLengthError when
 * it does not end
 */
async function askForSummary(
  deps: CompactionDeps,
  turn: TurnContext,
  { model, request }: { model: SummaryModel; request: string },
): Promise<SummaryAnswer> {
  const most = maxSummaryTokens(model)
  // Plugs may change the request.
  const text = await deps.hooks.compaction(request, turn)
  const prompt = [
    ...(model.system === "" ? [] : [{ role: "system" as const, content: model.system }]),
    { role: "user" as const, content: [{ type: "text" as const, text: sendableText(text) }] },
  ]
  const options = { prompt, ...(most !== null && { maxOutputTokens: most }) }
  return collect(readStream(model.model, options, { signal: turn.signal, timeoutMs: deps.providerTimeoutMs }))
}

async function collect(stream: AsyncIterable<LanguageModelV4StreamPart>): Promise<SummaryAnswer> {
  let text = ""
  let finish: string | null = null
  let usage = noTokens
  let length = 0
  for await (const part of stream) {
    if ("delta" in part) length += part.delta.length
    if (length > maxAnswerLength) throw new OutputLengthError()
    if (part.type === "text-delta") text += part.delta
    if (part.type === "error") throw part.error
    if (part.type === "finish") {
      finish = finishOf(part.finishReason)
      usage = toTokenUsage(part.usage)
    }
  }
  if (finish === null) throw new ProviderStreamError("The provider closed the stream before its end.")
  if (finish === "error" || finish === "content-filter") {
    throw new ProviderStreamError(`The provider ended the summary with "${finish}".`)
  }
  return { text: text.trim(), finish, usage }
}

/** Separates two entries. */
export const separator = "\n\n"

interface Piece {
  text: string
  /** Index of the first entry after the piece. */
  next: number
}

/**
 * As many whole entries from `at` on as fit in `room` (UTF-16 units), in order; at least one, which is shortened when
 * it is too large.
 */
export function takePiece(entries: readonly string[], at: number, room: number): Piece {
  const taken = [shorten(entries[at] ?? "", room)]
  let size = taken[0]?.length ?? 0
  for (const entry of entries.slice(at + 1)) {
    size += separator.length + entry.length
    if (size > room) break
    taken.push(entry)
  }
  return { text: taken.join(separator), next: at + taken.length }
}
