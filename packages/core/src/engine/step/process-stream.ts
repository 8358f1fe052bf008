import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { noTokens, toTokenUsage } from "../../ground/message/token-usage.ts"
import type { AssistantMessage, TokenUsage, ToolPart } from "../../ground/schema/index.ts"
import { finishOf } from "../../setup/provider/finish-of.ts"
import { maxAnswerLength, OutputLengthError } from "../../setup/provider/output-length-error.ts"
import { createStepCalls } from "./step-calls.ts"
import { createStepTexts } from "./step-texts.ts"
import type { StreamDeps } from "./stream-deps.ts"

export interface StepResult {
  /** `stop`, `length`, `tool-calls`…; null when the stream ended without one. */
  finish: string | null
  usage: TokenUsage
  /** Tool parts of the step in the order of the calls, in state `pending`. */
  calls: ToolPart[]
}

/**
 * Stores what a model streams as parts of `message`, as it arrives. Tool calls are only recorded. When
 * the stream fails, everything that was received is kept and the error is thrown.
 * @throws OutputLengthError when the answer does not end
 */
export async function processStream(
  deps: StreamDeps,
  message: AssistantMessage,
  stream: AsyncIterable<LanguageModelV4StreamPart>,
): Promise<StepResult> {
  const texts = createStepTexts(deps, message)
  const calls = createStepCalls(deps, message)
  let finish: string | null = null
  let usage = noTokens
  let length = 0
  try {
    for await (const part of stream) {
      if ("delta" in part) length += part.delta.length
      if (length > maxAnswerLength) throw new OutputLengthError()
      switch (part.type) {
        case "text-start":
          texts.start("text", part.id, part.providerMetadata)
          break
        case "text-delta":
          texts.append("text", part.id, part.delta, part.providerMetadata)
          break
        case "text-end":
          texts.end("text", part.id, part.providerMetadata)
          break
        case "reasoning-start":
          texts.start("reasoning", part.id, part.providerMetadata)
          break
        case "reasoning-delta":
          texts.append("reasoning", part.id, part.delta, part.providerMetadata)
          break
        case "reasoning-end":
          texts.end("reasoning", part.id, part.providerMetadata)
          break
        case "tool-input-start":
          if (!part.providerExecuted) calls.start(part.id, part.toolName, part.providerMetadata)
          break
        case "tool-input-delta":
          calls.append(part.id, part.delta)
          break
        case "tool-call":
          if (part.input.length > maxAnswerLength) throw new OutputLengthError()
          if (!part.providerExecuted) {
            const { toolCallId, toolName, input, providerMetadata } = part
            calls.complete({ callID: toolCallId, tool: toolName, input, metadata: providerMetadata })
          }
          break
        case "finish":
          finish = finishOf(part.finishReason)
          usage = toTokenUsage(part.usage)
          break
        case "error":
          throw part.error
      }
    }
  } finally {
    texts.endAll()
  }
  return { finish, usage, calls: calls.completed() }
}
