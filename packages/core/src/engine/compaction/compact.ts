import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider"
import { promptUnits } from "../../ground/message/prompt-units.ts"
import { toModelPrompt } from "../../ground/message/to-model-prompt.ts"
import { noTokens } from "../../ground/message/usage.ts"
import { userEntry } from "../../ground/message/user-entry.ts"
import type { AssistantMessage, MessageError, MessageWithParts, ModelRef } from "../../ground/schema/index.ts"
import { readToolCall } from "../../ground/schema/read-tool-call.ts"
import type { TranscriptStore } from "../../ground/store/index.ts"
import { openTodosOf } from "../../records/todo/open-todos-of.ts"
import { extensionPart } from "../loop/extension-text.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { typedCommand, writeUserMessage } from "../loop/write-message.ts"
import { unitsPerToken, usableTokens } from "./overflow.ts"
import { shorten } from "./shorten.ts"
import { type CompactionDeps, type SummaryModel, separator, summarise } from "./summarise.ts"

/** The prompt to the agent after an automatic compaction. */
const continueText =
  "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed."

/** Most tokens kept word for word beside a summary, and the largest share of the usable context. */
const mostTailTokens = 15_000
const tailShare = 1 / 4

/** A summary longer than this share of the text it replaces is not worth the loss. */
const worthShare = 4 / 5

/**
 * Replaces the transcript for the model by a summary from the compaction agent and the newest part of the conversation
 * word for word; the stored rows stay.
 * @param options.auto the agent then continues by itself
 * @param options.goesOn false: an extension wants it to wait for a person instead
 * @param options.tail false keeps nothing word for word, because the context was full again at once with it
 * @returns the error when no summary could be made; the transcript is then unchanged
 */
export async function compact(
  deps: CompactionDeps,
  turn: TurnContext,
  options: { auto: boolean; goesOn?: boolean; tail: boolean },
): Promise<MessageError | null> {
  if (options.auto) await deps.hooks.beforeCompaction(turn, { isAsked: false, wish: "" })
  const list = await openTodosOf(deps.store.todo, turn.session.id)
  const todos = list === null ? null : `Open todos (they stay as they are; read them with todoread):\n${list}`
  const before = toModelPrompt(turn.transcript.all(), turn.model, { texts: turn.transcript.texts() })
  const request = writeUserMessage(deps, turn, [{ type: "compaction", auto: options.auto }])
  const ref = compactionModel(turn)
  const message = startSummary(deps, turn, { parentID: request.id, model: ref })
  const model = await resolveModel(deps, turn, ref)
  if ("error" in model) return closeFailed(deps, turn, { message, error: model.error })
  const entries = transcriptEntries(before)
  const result = await summarise(deps, turn, { model, message, entries, todos })
  if (result.error !== null) return closeFailed(deps, turn, { message: result.message, error: asFailure(result.error) })
  const room = options.tail ? await tailRoom(deps, turn, { entries, accepted: result.room }) : 0
  const tail = recentTail(entries, { prompt: promptText(turn), room })
  const texts = [...summaryTexts(result.text, tail), await lostSkills(deps, turn)].filter((text) => text !== null)
  const size = texts.reduce((sum, text) => sum + text.length, 0)
  if (size > promptUnits(before) * worthShare) {
    return closeFailed(deps, turn, { message: result.message, error: notWorthIt })
  }
  await storeSummary(deps, turn, { message: result.message, texts })
  turn.transcript.startAt(message.id)
  if (options.auto && options.goesOn !== false) {
    const text = todos === null ? continueText : `${continueText}\n\n${todos}`
    const said = await deps.hooks.sessionStarts({ turn, how: "summarised" })
    turn.userMessage = writeUserMessage(deps, turn, [
      { type: "text", text, synthetic: true },
      ...said.map(extensionPart),
    ])
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
    return { error: asFailure(deps.models.toMessageError(cause, ref)) }
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

/** The text of the prompt that the turn answers, as the user typed it. */
function promptText({ turn }: TurnContext): string {
  const texts = turn.input.parts.flatMap((part) => {
    if (part.type === "command") return [typedCommand(part)]
    return part.type === "text" ? [part.text] : []
  })
  return texts.join("\n")
}

/** Space for the text kept word for word (UTF-16 units): a share of the smallest known limit. */
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

function asFailure(error: MessageError): MessageError {
  if (error.name === "AbortedError" || error.name === "InterruptedError") return error
  return { ...error, message: `The conversation had to be summarised to go on, and that failed. ${error.message}` }
}

const notWorthIt: MessageError = {
  name: "ContextOverflowError",
  message:
    "A summary frees less than a fifth of the conversation, so it was left as it is. Choose a model with a larger context, or start a new session.",
  statusCode: null,
  retryable: false,
}

/** Longest reasoning (UTF-16 units): what it came to stands at its end. */
const maxReasoningUnits = 2_000
/** Longest arguments or output of a tool call (UTF-16 units); a summary needs only their beginning and end. */
const maxToolUnits = 4_000

/**
 * The conversation as text, an entry for each part, in order. Long calls and outputs are shortened, media are only
 * named, long reasoning keeps its end. Lines of tool outputs are quoted, so that none can pass for a user's words.
 */
export function transcriptEntries(prompt: LanguageModelV4Prompt): string[] {
  return prompt.flatMap(messageEntries)
}

function messageEntries(message: LanguageModelV4Message): string[] {
  switch (message.role) {
    case "system":
      return []
    case "user":
      return message.content.map((part) => (part.type === "text" ? userEntry(part.text) : fileEntry(part)))
    case "assistant":
      return message.content.flatMap((part) => {
        if (part.type === "text") return [`[assistant]\n${part.text}`]
        if (part.type === "reasoning") return part.text.trim() === "" ? [] : [reasoningEntry(part.text)]
        if (part.type !== "tool-call") return []
        return [`[assistant calls ${part.toolName}]\n${shorten(JSON.stringify(part.input), maxToolUnits)}`]
      })
    case "tool":
      return message.content.flatMap((part) =>
        part.type === "tool-result" ? [`[result of ${part.toolName}]\n${quote(outputText(part.output))}`] : [],
      )
  }
}

function reasoningEntry(text: string): string {
  const end = text.length > maxReasoningUnits ? `… ${text.slice(-maxReasoningUnits)}` : text
  return `[assistant thinks]\n${end}`
}

function fileEntry({ mediaType, filename }: LanguageModelV4FilePart): string {
  const name = filename === undefined ? "" : `: ${filename}`
  return `[the user attached ${mediaType}${name}; it cannot be seen any more]`
}

function outputText(output: LanguageModelV4ToolResultOutput): string {
  const text = "value" in output ? output.value : (output.reason ?? "")
  return typeof text === "string" ? text : JSON.stringify(text)
}

function quote(text: string): string {
  return shorten(text, maxToolUnits).replace(/^/gm, "> ")
}

/** With less space, the summary alone is more useful (UTF-16 units). */
const leastRoom = 500

/**
 * The end of a conversation word for word, up to `room` UTF-16 units: its newest entries, preceded by the user's last
 * request (`prompt`) when that is older. Null when the space is too small to be useful.
 */
export function recentTail(entries: readonly string[], options: { prompt: string; room: number }): string | null {
  if (options.room < leastRoom) return null
  const asked = userEntry(options.prompt)
  const place = entries.lastIndexOf(asked)
  const shortened = shorten(asked, options.room / 2)
  let left = options.room - shortened.length
  const kept: string[] = []
  let reached = options.prompt === ""
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at] ?? ""
    if (at === place) {
      kept.unshift(shortened)
      reached = true
      continue
    }
    left -= separator.length + entry.length
    if (left < 0) break
    kept.unshift(entry)
  }
  if (!reached) kept.unshift(shortened)
  return kept.length === 0 ? null : kept.join(separator)
}

/** Messages read at once, and the most pages read, going back beyond earlier compactions. */
const pageSize = 200
const mostPages = 10
/** Most skills that are named. */
const mostNamed = 20

/**
 * Tells the model which skills' texts compactions removed, including earlier ones; null when none of them could be
 * loaded again.
 */
async function lostSkills(
  { store }: { store: { transcript: Pick<TranscriptStore, "page"> } },
  turn: Pick<TurnContext, "session" | "skills">,
): Promise<string | null> {
  const names = new Set<string>()
  let before: string | undefined
  for (let page = 0; page < mostPages && turn.skills.length > 0; page++) {
    const { items, before: earlier } = await store.transcript.page({
      sessionID: turn.session.id,
      ...(before !== undefined && { before }),
      limit: pageSize,
    })
    for (const name of loadedIn(items)) names.add(name)
    if (earlier === null) break
    before = earlier
  }
  const known = turn.skills.filter(({ name }) => names.has(name)).map(({ name }) => name)
  if (known.length === 0) return null
  return `\nThese skills were loaded, and their texts are not part of this summary: ${known.slice(0, mostNamed).join(", ")}. Load a skill again with the skill tool before you go on with what it speaks of.`
}

function loadedIn(messages: readonly MessageWithParts[]): string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type !== "tool" || part.state.status !== "completed") return []
      const call = readToolCall(part)
      return call.tool === "skill" && call.metadata !== null ? [call.metadata.name] : []
    }),
  )
}
