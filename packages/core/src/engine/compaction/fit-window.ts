import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider"
import type { PromptHead } from "../../ground/message/cached-prompt.ts"
import { leastMessageTokens, leastTokens, leastToolTokens } from "../../ground/message/least-tokens.ts"
import { conversationTextUnits } from "../../ground/message/prompt-units.ts"
import type { ModelRef } from "../../ground/schema/index.ts"
import type { Transcript } from "../loop/transcript.ts"
import { type ModelLimit, usableTokens } from "./overflow.ts"
import { shorten } from "./shorten.ts"

type Request = Pick<LanguageModelV4CallOptions, "prompt" | "tools"> & { head: PromptHead }
type Message = LanguageModelV4Prompt[number]
type Content = Exclude<Message, { role: "system" }>["content"][number]

/** How much of a text that is too long is kept for each free token (UTF-16 units): about half of what fits. */
const keptUnits = 2

/** Instructions and tools may fill all but this share of the usable tokens; texts always get that much. */
const leastShare = 1 / 8

interface FitRequest {
  prompt: LanguageModelV4Prompt
  /** The original sizes of the shortened texts (UTF-16 units). */
  tooLong: number[]
  /** The least number of tokens that the request can have, by its words. */
  tokens: number
  /** The size of the request's conversation, see `conversationTextUnits`. */
  units(): number
}

/** The prompt, with each text shortened that alone is too long for a model with these limits. */
export function fitWindow({ prompt, tools = [], head }: Request, limit: ModelLimit): FitRequest {
  const usable = usableTokens(limit)
  const toolTokens = leastToolTokens(tools)
  const fixed = prompt.slice(0, head.from).reduce((sum, message) => sum + leastMessageTokens(message), toolTokens)
  const room = usable === null ? Number.POSITIVE_INFINITY : Math.max(usable - fixed, usable * leastShare)
  // The sizes of the head are known, but they hold only when none of its texts has to be shortened.
  const known = head.largest <= room ? head : { ...head, count: 0, tokens: 0, units: 0 }
  const tooLong: number[] = []
  const short = (text: string) => {
    if (leastTokens(text) <= room) return text
    tooLong.push(text.length)
    return shorten(text, room * keptUnits)
  }
  let tokens = toolTokens + known.tokens
  const fit = (message: Message) => {
    const least = leastMessageTokens(message)
    const fitted = least <= room ? message : shortened(message, short)
    tokens += fitted === message ? least : leastMessageTokens(fitted)
    return fitted
  }
  const end = known.from + known.count
  const system = prompt.slice(0, known.from).map(fit)
  const last = prompt.slice(end).map(fit)
  return {
    prompt: [...system, ...prompt.slice(known.from, end), ...last],
    tooLong,
    tokens,
    units: () => known.units + conversationTextUnits(last),
  }
}

function shortened(message: Message, short: (text: string) => string): Message {
  if (message.role === "system" || message.role === "assistant") return message
  const content = message.content.map((part) => shortenedPart(part, short))
  // Each part keeps its type.
  return { ...message, content } as Message
}

function shortenedPart(part: Content, short: (text: string) => string): Content {
  if (part.type === "text") return { ...part, text: short(part.text) }
  if (part.type !== "tool-result") return part
  const { output } = part
  if (output.type !== "text" && output.type !== "error-text") return part
  return { ...part, output: { ...output, value: short(output.value) } }
}

/**
 * The provider's token count for the last answer and its prompt, plus an estimate for the user's words since; 0 when
 * the count does not apply to the next request.
 */
export function countedTokens(
  transcript: Pick<Transcript, "all" | "clearedAt" | "countedAt">,
  model: ModelRef,
): number {
  const messages = transcript.all()
  const at = transcript.countedAt()
  const info = messages[at]?.info
  if (info?.role !== "assistant" || info.summary) return 0
  if (info.model.providerID !== model.providerID || info.model.modelID !== model.modelID) return 0
  const { completed } = info.time
  if (completed === null || transcript.clearedAt() >= completed) return 0
  const { input, output, cache } = info.tokens
  const since = messages.slice(at + 1).flatMap(({ info, parts }) => (info.role === "user" ? parts : []))
  const said = since.reduce((sum, part) => sum + (part.type === "text" ? leastTokens(part.text) : 0), 0)
  return said === 0 ? 0 : input + cache.read + cache.write + output + said
}

/** The tokens of a model's whole window; null when unknown. */
export function windowOf(limit: ModelLimit): number | null {
  const window = limit.input || limit.context
  return window > 0 ? window : null
}
