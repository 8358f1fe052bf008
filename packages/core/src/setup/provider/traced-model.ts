import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider"
import { toTokenUsage } from "../../ground/message/usage.ts"
import type { ModelRef } from "../../ground/schema/index.ts"
import { noTrace, type Span, type Trace } from "../../ground/trace/trace.ts"
import type { ResolvedModel } from "./create-providers.ts"

interface TracedDeps {
  trace: Trace
  /** Monotonic ms. */
  now(): number
}

/** The same model, whose streamed calls are spans. Without anybody who watches, the model itself. */
export function tracedModel(deps: TracedDeps, ref: ModelRef, resolved: ResolvedModel): ResolvedModel {
  if (deps.trace === noTrace) return resolved
  const { model } = resolved
  return { ...resolved, model: { ...face(model), doStream: (options) => stream(deps, ref, model, options) } }
}

/** The members of a model, which may be getters of its class. */
function face(model: LanguageModelV4): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    doGenerate: (options) => model.doGenerate(options),
    doStream: (options) => model.doStream(options),
  }
}

async function stream(
  { trace, now }: TracedDeps,
  ref: ModelRef,
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult> {
  const begun = now()
  const span = trace.begin("model", {
    provider: ref.providerID,
    model: ref.modelID,
    maxTokens: options.maxOutputTokens,
    temperature: options.temperature,
    prompt: () => options.prompt,
  })
  try {
    const result = await span.run(async () => model.doStream(options))
    const watch = watchAnswer(span, () => now() - begun)
    // When a reader stops, the provider's stream is cancelled, and nothing more comes.
    const onAbort = () => span.end(options.abortSignal?.reason)
    options.abortSignal?.addEventListener("abort", onAbort, { once: true })
    const watched = result.stream.pipeThrough(
      new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          watch(part)
          controller.enqueue(part)
        },
        flush() {
          options.abortSignal?.removeEventListener("abort", onAbort)
          span.end()
        },
      }),
    )
    return { ...result, stream: watched }
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Notes what the parts of an answer say of it. */
function watchAnswer(span: Span<"model">, elapsed: () => number): (part: LanguageModelV4StreamPart) => void {
  const texts: string[] = []
  const calls: { tool: string; callID: string; input: string }[] = []
  let isFirst = true
  return (part) => {
    if (isFirst && part.type !== "stream-start" && part.type !== "response-metadata") {
      isFirst = false
      span.note({ firstChunkMs: elapsed() })
    }
    if (part.type === "text-delta") texts.push(part.delta)
    if (part.type === "tool-call") calls.push({ tool: part.toolName, callID: part.toolCallId, input: part.input })
    if (part.type === "response-metadata")
      span.note({ ...(part.id && { responseID: part.id }), ...(part.modelId && { responseModel: part.modelId }) })
    if (part.type === "error") span.end(part.error)
    if (part.type !== "finish") return
    const answer = () => ({ text: texts.join(""), calls })
    span.note({ finish: part.finishReason.unified, usage: toTokenUsage(part.usage), answer })
  }
}
