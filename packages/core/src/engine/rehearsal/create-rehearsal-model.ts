import { randomUUID } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider"
import { rehearsalInfo } from "../../setup/provider/rehearsal-info.ts"
import { nextMove } from "./next-move.ts"
import type { Move } from "./situation.ts"

export interface RehearsalOptions {
  /** Milliseconds between two chunks; 15 unless given, 0 for none. */
  chunkDelay?: number
  createCallID?: () => string
}

/** No language model runs, so no token is counted. */
const usage: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

/** Pieces of about three words, so that a user sees the text grow. */
const pieces = (text: string) => text.match(/(?:\S+\s*){1,3}|\s+/g) ?? []

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  if (ms === 0) return
  await delay(ms, undefined, signal && { signal }).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error
  })
}

const finishReason = ({ calls }: Move) => ({
  unified: calls.length > 0 ? ("tool-calls" as const) : ("stop" as const),
  raw: undefined,
})

async function* streamMove(
  options: LanguageModelV4CallOptions,
  chunkDelay: number,
  createCallID: () => string,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const signal = options.abortSignal
  const move = nextMove(options)
  yield { type: "stream-start", warnings: [] }
  yield { type: "response-metadata", modelId: rehearsalInfo.id }
  for (const type of ["reasoning", "text"] as const) {
    const text = move[type]
    if (text === "") continue
    yield { type: `${type}-start`, id: type }
    for (const delta of pieces(text)) {
      await pause(chunkDelay, signal)
      yield { type: `${type}-delta`, id: type, delta }
    }
    yield { type: `${type}-end`, id: type }
  }
  for (const { tool, input } of move.calls) {
    await pause(chunkDelay, signal)
    const id = createCallID()
    const json = JSON.stringify(input)
    yield { type: "tool-input-start", id, toolName: tool }
    yield { type: "tool-input-delta", id, delta: json }
    yield { type: "tool-input-end", id }
    yield { type: "tool-call", toolCallId: id, toolName: tool, input: json }
  }
  signal?.throwIfAborted()
  yield { type: "finish", finishReason: finishReason(move), usage }
}

/**
 * A model without network and knowledge: it decides each answer from the prompt alone, by the fixed procedure of
 * nextMove. With it, the whole runtime can be used and shown without a language model.
 */
export function createRehearsalModel(options: RehearsalOptions = {}): LanguageModelV4 {
  const { chunkDelay = 15, createCallID = () => `call_${randomUUID()}` } = options
  return {
    specificationVersion: "v4",
    provider: rehearsalInfo.providerID,
    modelId: rehearsalInfo.id,
    supportedUrls: {},
    async doGenerate(call) {
      call.abortSignal?.throwIfAborted()
      const move = nextMove(call)
      const content: LanguageModelV4Content[] = [
        ...(move.reasoning === "" ? [] : [{ type: "reasoning" as const, text: move.reasoning }]),
        ...(move.text === "" ? [] : [{ type: "text" as const, text: move.text }]),
        ...move.calls.map(({ tool, input }) => ({
          type: "tool-call" as const,
          toolCallId: createCallID(),
          toolName: tool,
          input: JSON.stringify(input),
        })),
      ]
      return { content, finishReason: finishReason(move), usage, warnings: [] }
    },
    async doStream(call) {
      const parts = streamMove(call, chunkDelay, createCallID)
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        async pull(controller) {
          const { done, value } = await parts.next()
          if (done) controller.close()
          else controller.enqueue(value)
        },
        async cancel() {
          await parts.return(undefined)
        },
      })
      return { stream }
    },
  }
}
