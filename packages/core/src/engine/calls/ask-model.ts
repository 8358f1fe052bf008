import type { AskedModel, ModelAnswer } from "../../acts/tool/tool.ts"
import { toTokenUsage } from "../../ground/message/usage.ts"
import { readStream } from "../../setup/provider/read-stream.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import type { Hooks } from "../loop/hooks.ts"
import type { TurnContext } from "../loop/turn-context.ts"

export interface AskModelDeps {
  models: Pick<LoopModels, "resolve" | "costOf" | "toMessageError">
  hooks: Pick<Hooks, "stepLimit" | "stepUsed">
  /** Longest silence of a provider (ms). */
  providerTimeoutMs: number
}

/**
 * Lets the turn's model answer for a call. What it uses counts for the session, within the limits of its tree.
 * @throws Error in words for whoever asks
 */
export async function askModel(
  deps: AskModelDeps,
  turn: TurnContext,
  { system, messages, maxTokens, temperature, stop }: AskedModel,
): Promise<ModelAnswer> {
  const { limit } = deps.hooks.stepLimit(turn.session)
  if (limit !== null) throw new Error(limit.message)
  const ref = turn.model
  const { model, info } = await deps.models.resolve(ref, turn.config)
  const options = {
    prompt: [
      ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
      ...messages.map(({ role, text }) => ({ role, content: [{ type: "text" as const, text }] })),
    ],
    maxOutputTokens: Math.min(maxTokens, info.limit.output),
    ...(temperature !== undefined && { temperature }),
    ...(stop !== undefined && stop.length > 0 && { stopSequences: [...stop] }),
  }
  let text = ""
  let isCut = false
  try {
    for await (const part of readStream(model, options, { signal: turn.signal, timeoutMs: deps.providerTimeoutMs })) {
      if (part.type === "text-delta") text += part.delta
      if (part.type === "error") throw part.error
      if (part.type !== "finish") continue
      isCut = part.finishReason.unified === "length"
      const tokens = toTokenUsage(part.usage)
      const used = { tokens, cost: deps.models.costOf(info, tokens) }
      void turn.writer.used(used)
      deps.hooks.stepUsed(turn.session, { ...used, toolCalls: 0 })
    }
  } catch (cause) {
    turn.signal.throwIfAborted()
    throw new Error(deps.models.toMessageError(cause, ref).message, { cause })
  }
  return { text, model: ref, isCut }
}
