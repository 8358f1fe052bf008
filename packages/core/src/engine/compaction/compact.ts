import { promptUnits } from "../../ground/message/prompt-units.ts"
import { toModelPrompt } from "../../ground/message/to-model-prompt.ts"
import { noTokens } from "../../ground/message/token-usage.ts"
import type { AssistantMessage, MessageError, ModelRef } from "../../ground/schema/index.ts"
import { openTodosOf } from "../../records/todo/open-todos-of.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { typedCommand, writeUserMessage } from "../loop/write-message.ts"
import type { SummaryModel } from "./ask-for-summary.ts"
import type { CompactionDeps } from "./compaction-deps.ts"
import { lostSkills } from "./lost-skills.ts"
import { unitsPerToken, usableTokens } from "./overflow.ts"
import { recentTail } from "./recent-tail.ts"
import { summarise } from "./summarise.ts"
import { transcriptEntries } from "./transcript-entries.ts"

/** What an automatic compaction tells the agent afterwards. */
const continueText =
  "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed."

/** The most that stays word for word beside a summary (tokens), and the largest part of the usable context. */
const mostTailTokens = 15_000
const tailShare = 1 / 4

/** A summary that is longer than this part of what it replaces is not worth what is lost with it. */
const worthShare = 4 / 5

/**
 * Replaces the transcript for the model by a summary that the compaction agent writes, and the newest of the
 * conversation word for word; the rows stay.
 * @param options.auto the agent goes on by itself afterwards
 * @param options.tail false keeps nothing word for word: with it the context was full again at once
 * @returns the error when no summary could be made; the transcript is then unchanged
 */
export async function compact(
  deps: CompactionDeps,
  turn: TurnContext,
  options: { auto: boolean; tail: boolean },
): Promise<MessageError | null> {
  const list = await openTodosOf(deps.store.todo, turn.session.id)
  const todos = list === null ? null : `Open todos (they stay as they are; read them with todoread):\n${list}`
  const before = toModelPrompt(turn.transcript.all(), turn.model)
  const request = writeUserMessage(deps, turn, [{ type: "compaction", auto: options.auto }])
  const ref = compactionModel(turn)
  const message = startSummary(deps, turn, { parentID: request.id, model: ref })
  const model = await resolveModel(deps, turn, ref)
  if ("error" in model) return closeFailed(deps, turn, { message, error: model.error })
  const entries = transcriptEntries(before)
  const result = await summarise(deps, turn, { model, message, entries, todos })
  if (result.error !== null) return closeFailed(deps, turn, { message: result.message, error: failed(result.error) })
  const room = options.tail ? await tailRoom(deps, turn, { entries, accepted: result.room }) : 0
  const tail = recentTail(entries, { prompt: promptText(turn), room })
  const texts = [...summaryTexts(result.text, tail), await lostSkills(deps, turn)].filter((text) => text !== null)
  const size = texts.reduce((sum, text) => sum + text.length, 0)
  if (size > promptUnits(before) * worthShare) {
    return closeFailed(deps, turn, { message: result.message, error: notWorth })
  }
  await storeSummary(deps, turn, { message: result.message, texts })
  turn.transcript.startAt(message.id)
  if (options.auto) {
    const text = todos === null ? continueText : `${continueText}\n\n${todos}`
    turn.userMessage = writeUserMessage(deps, turn, [{ type: "text", text, synthetic: true }])
  }
  await turn.writer.settled()
  return null
}

function compactionModel(turn: TurnContext): ModelRef {
  return turn.agents.find((candidate) => candidate.name === "compaction")?.model ?? turn.model
}

async function resolveModel(
  deps: CompactionDeps,
  turn: TurnContext,
  ref: ModelRef,
): Promise<SummaryModel | { error: MessageError }> {
  const system = turn.agents.find((candidate) => candidate.name === "compaction")?.prompt ?? ""
  try {
    return { ...(await deps.models.resolve(ref, turn.config)), system }
  } catch (cause) {
    return { error: failed(deps.models.toMessageError(cause, ref)) }
  }
}

function startSummary(
  deps: CompactionDeps,
  turn: TurnContext,
  { parentID, model }: { parentID: string; model: ModelRef },
): AssistantMessage {
  const message: AssistantMessage = {
    id: deps.createID("message"),
    sessionID: turn.session.id,
    role: "assistant",
    parentID,
    agent: "compaction",
    model,
    finish: null,
    error: null,
    summary: true,
    cost: 0,
    tokens: noTokens,
    time: { created: deps.clock(), completed: null },
  }
  void turn.writer.message(message)
  return message
}

/** What the turn answers, in the words that it came in. */
function promptText({ turn }: TurnContext): string {
  const texts = turn.input.parts.flatMap((part) => {
    if (part.type === "command") return [typedCommand(part)]
    return part.type === "text" ? [part.text] : []
  })
  return texts.join("\n")
}

/** Room for what stays word for word (UTF-16 units): a share of whatever is known of the space there is. */
async function tailRoom(
  deps: CompactionDeps,
  turn: TurnContext,
  { entries, accepted }: { entries: readonly string[]; accepted: number },
): Promise<number> {
  const { info } = await deps.models.resolve(turn.model, turn.config)
  const usable = (usableTokens(info.limit) ?? Number.POSITIVE_INFINITY) * unitsPerToken
  const whole = entries.reduce((sum, entry) => sum + entry.length, 0)
  return Math.min(mostTailTokens * unitsPerToken, Math.min(usable, whole, accepted) * tailShare)
}

function summaryTexts(summary: string, tail: string | null): string[] {
  if (tail === null) return [summary]
  return [summary, `\nThe newest of the conversation as it was, long parts shortened:\n\n${tail}`]
}

async function storeSummary(
  deps: CompactionDeps,
  turn: TurnContext,
  { message, texts }: { message: AssistantMessage; texts: string[] },
): Promise<void> {
  const now = deps.clock()
  for (const [index, text] of texts.entries()) {
    const place = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id }
    const time = { start: message.time.created, end: now }
    void turn.writer.part({ ...place, type: "text", text, time, ...(index > 0 && { synthetic: true }) })
  }
  await turn.writer.message({ ...message, finish: "stop", time: { ...message.time, completed: now } })
}

async function closeFailed(
  deps: CompactionDeps,
  turn: TurnContext,
  { message, error }: { message: AssistantMessage; error: MessageError },
): Promise<MessageError> {
  await turn.writer.message({ ...message, error, time: { ...message.time, completed: deps.clock() } })
  return error
}

function failed(error: MessageError): MessageError {
  if (error.name === "AbortedError" || error.name === "InterruptedError") return error
  return { ...error, message: `The conversation had to be summarised to go on, and that failed. ${error.message}` }
}

const notWorth: MessageError = {
  name: "ContextOverflowError",
  message:
    "A summary frees less than a fifth of the conversation, so it was left as it is. Choose a model with a larger context, or start a new session.",
  statusCode: null,
  retryable: false,
}
