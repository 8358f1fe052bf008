import { addUsage } from "../../ground/message/token-usage.ts"
import type { AssistantMessage, MessageError } from "../../ground/schema/index.ts"
import { compactionRequest } from "../../setup/agent/compaction-prompt.ts"
import { stopError } from "../loop/stop-reason.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { waitToRetry } from "../loop/wait-to-retry.ts"
import { askForSummary, maxSummaryTokens, type SummaryAnswer, type SummaryModel } from "./ask-for-summary.ts"
import type { CompactionDeps } from "./compaction-deps.ts"
import { unitsPerToken, usableTokens } from "./overflow.ts"
import { shorten } from "./shorten.ts"
import { takePiece } from "./take-piece.ts"

/** A provider that refuses even this much of a conversation reads none (UTF-16 units). */
const leastRoom = 1_000
/** Fewer than a token holds, so that a summary ends before it is cut off. */
const wordsPerToken = 0.5
const mostWords = 2_000

export interface SummariseInput {
  model: SummaryModel
  /** The open message of the summary: it counts what all pieces cost. */
  message: AssistantMessage
  entries: readonly string[]
  todos: string | null
}

export type Summarised = { message: AssistantMessage } & (
  | { error: null; text: string /** What the model read at once (UTF-16 units). */; room: number }
  | { error: MessageError }
)

/**
 * Summarises a conversation of any length: piece by piece, each together with the summary of those before it. A piece
 * that the provider refuses as too long is halved; what may be retried is retried.
 */
export async function summarise(deps: CompactionDeps, turn: TurnContext, input: SummariseInput): Promise<Summarised> {
  const { model, entries, todos } = input
  const words = Math.min(mostWords, Math.floor((maxSummaryTokens(model) ?? mostWords) * wordsPerToken))
  const fixed = model.system.length + compactionRequest({ conversation: "", earlier: "", todos, words }).length
  const usable = usableTokens(model.info.limit) ?? Number.POSITIVE_INFINITY
  let { message } = input
  let room = Math.max(usable * unitsPerToken - fixed, leastRoom)
  let text = ""
  let attempt = 1
  // A summary that was cut off or came empty is asked for once more, with half the words; then a cut one counts.
  let shorter = false
  for (let at = 0; at < entries.length; ) {
    const earlier = at === 0 ? null : shorten(text, room / 3)
    const piece = takePiece(entries, at, room - (earlier?.length ?? 0))
    const sent = piece.text.length + (earlier?.length ?? 0)
    const limit = shorter ? Math.ceil(words / 2) : words
    const request = compactionRequest({ conversation: piece.text, earlier, todos, words: limit })
    const reply = await reactTo(deps, turn, { model, attempt, answer: askForSummary(deps, turn, { model, request }) })
    switch (reply.kind) {
      case "written":
        message = count(deps, turn, { message, model, answer: reply.answer })
        room = Math.max(Math.min(room, usable * unitsReported(reply.answer, sent + fixed) - fixed), leastRoom)
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
        room = Math.floor(sent / 2)
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

interface Asked {
  model: SummaryModel
  attempt: number
  answer: Promise<SummaryAnswer>
}

async function reactTo(deps: CompactionDeps, turn: TurnContext, { model, attempt, answer }: Asked): Promise<Reply> {
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

/** UTF-16 units of a token as the provider counted them; never more than the estimate. */
function unitsReported({ usage }: SummaryAnswer, sent: number): number {
  const tokens = usage.input + usage.cache.read + usage.cache.write
  return tokens === 0 ? unitsPerToken : Math.min(unitsPerToken, sent / tokens)
}

interface Counted {
  message: AssistantMessage
  model: SummaryModel
  answer: SummaryAnswer
}

/** Adds what an answer cost to its message, to the session and to the tasks that it belongs to. */
function count(deps: CompactionDeps, turn: TurnContext, { message, model, answer }: Counted): AssistantMessage {
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
