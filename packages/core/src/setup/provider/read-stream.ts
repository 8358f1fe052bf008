import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider"
import { orAborted } from "../../ground/concurrency/or-aborted.ts"

/** The provider was silent for too long, or closed the stream before its end. */
export class ProviderStreamError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "ProviderStreamError"
  }
}

/**
 * Calls the model and yields its stream. Aborts the request when the signal aborts, when nothing arrives for
 * `timeoutMs`, or when the consumer stops.
 * @throws ProviderStreamError on silence
 */
export async function* readStream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  limits: { signal: AbortSignal; timeoutMs: number; onPiece?: () => void },
): AsyncGenerator<LanguageModelV4StreamPart> {
  const request = new AbortController()
  const forward = () => request.abort(limits.signal.reason)
  limits.signal.throwIfAborted()
  limits.signal.addEventListener("abort", forward, { once: true })
  const seconds = Math.round(limits.timeoutMs / 1000)
  const watchdog = setTimeout(() => {
    request.abort(new ProviderStreamError(`The provider sent nothing for ${seconds} seconds.`))
  }, limits.timeoutMs)
  let isDone = false
  try {
    const calling = model.doStream({ ...options, abortSignal: request.signal })
    const { stream } = await orAborted(Promise.resolve(calling), request.signal)
    const reader = stream.getReader()
    // Ends a pending read, even when the provider ignores the signal.
    request.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true })
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      watchdog.refresh()
      limits.onPiece?.()
      yield read.value
    }
    request.signal.throwIfAborted()
    isDone = true
  } catch (error) {
    // Providers wrap the abort in their own errors; the reason is more precise.
    throw request.signal.aborted ? request.signal.reason : error
  } finally {
    clearTimeout(watchdog)
    limits.signal.removeEventListener("abort", forward)
    if (!isDone) request.abort()
  }
}

/** Null for a stream that was cut: OpenAI-compatible providers report it as "other" without a raw reason. */
export function finishOf({ unified, raw }: LanguageModelV4FinishReason): string | null {
  return unified === "other" && raw === undefined ? null : unified
}

/** Longest answer accepted from a model: UTF-16 units of its text, reasoning and tool arguments together. */
export const maxAnswerLength = 4_000_000

/** The model did not stop, so its answer was cut off at `maxAnswerLength`. */
export class OutputLengthError extends Error {
  constructor() {
    super(
      `The answer was cut off after ${maxAnswerLength.toLocaleString("en-US")} characters, the most that is taken. ` +
        "Ask for a shorter one, or have it written to a file.",
    )
    this.name = "OutputLengthError"
  }
}
