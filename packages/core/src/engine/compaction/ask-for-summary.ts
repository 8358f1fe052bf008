import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { sendableText } from "../../ground/message/sendable-text.ts"
import { noTokens, toTokenUsage } from "../../ground/message/token-usage.ts"
import type { TokenUsage } from "../../ground/schema/index.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { finishOf } from "../../setup/provider/finish-of.ts"
import { maxOutputTokens } from "../../setup/provider/max-output-tokens.ts"
import { maxAnswerLength, OutputLengthError } from "../../setup/provider/output-length-error.ts"
import { ProviderStreamError, readStream } from "../../setup/provider/read-stream.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { CompactionDeps } from "./compaction-deps.ts"
import { usableTokens } from "./overflow.ts"

export interface SummaryModel extends ResolvedModel {
  /** The compaction agent's own prompt. */
  system: string
}

export interface SummaryAnswer {
  text: string
  /** `stop`, `length`…; never null. */
  finish: string
  usage: TokenUsage
}

/** The longest summary of a model (tokens): it must leave room for what comes after it. Null when nothing is known. */
export function maxSummaryTokens({ info }: SummaryModel): number | null {
  const usable = usableTokens(info.limit)
  const most = Math.min(info.limit.output > 0 ? info.limit.output : maxOutputTokens, maxOutputTokens)
  if (usable === null) return info.limit.output > 0 ? most : null
  return Math.min(most, Math.max(Math.floor(usable / 4), leastSummaryTokens))
}

/** With fewer a model that reasons has said nothing yet. */
const leastSummaryTokens = 1_000

/**
 * Asks the compaction agent's model once. A summary is text: calls and reasoning are left aside.
 * @throws what the provider throws, ProviderStreamError when the answer broke off or was withheld, OutputLengthError
 * when it does not end
 */
export async function askForSummary(
  deps: CompactionDeps,
  turn: TurnContext,
  { model, request }: { model: SummaryModel; request: string },
): Promise<SummaryAnswer> {
  const most = maxSummaryTokens(model)
  const asked = await deps.hooks.compaction(request, turn)
  const prompt = [
    ...(model.system === "" ? [] : [{ role: "system" as const, content: model.system }]),
    { role: "user" as const, content: [{ type: "text" as const, text: sendableText(asked) }] },
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
