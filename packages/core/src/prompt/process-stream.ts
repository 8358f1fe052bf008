import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider"
import type { CreateId } from "../id/create-id.ts"
import type { AssistantMessage, TextPart, TokenUsage, ToolPart } from "../schema/index.ts"
import { createTextStream, type TextStream } from "./text-stream.ts"
import type { TurnWriter } from "./turn-writer.ts"

/** Arguments that are still streaming reach the readers at most this often. */
const inputMs = 200

export interface StepResult {
  /** `stop`, `length`, `tool-calls`…; null when the stream ended without one. */
  finish: string | null
  usage: TokenUsage
  /** Tool parts of the step in the order of the calls, in state `pending`. */
  calls: ToolPart[]
  /** Whether the model gave anything that a reader has seen. */
  visible: boolean
}

export interface StreamDeps {
  writer: TurnWriter
  createID: CreateId
  clock: () => number
}

/**
 * Stores what a model streams as parts of `message`, as it arrives. Tool calls are only recorded. When
 * the stream fails, everything that was received is kept and the error is thrown.
 */
export async function processStream(
  deps: StreamDeps,
  message: AssistantMessage,
  stream: AsyncIterable<LanguageModelV4StreamPart>,
): Promise<StepResult> {
  const step = createStep(deps, message)
  try {
    for await (const part of stream) step.take(part)
  } finally {
    step.close()
  }
  return step.result()
}

function createStep(deps: StreamDeps, message: AssistantMessage) {
  const texts = new Map<string, TextStream>()
  const tools = new Map<string, { part: ToolPart; raw: string; shownAt: number }>()
  const calls: ToolPart[] = []
  let finish: string | null = null
  let usage = noTokens
  let visible = false

  const startText = (type: "text" | "reasoning", id: string, metadata: SharedV4ProviderMetadata | undefined) => {
    const base = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id, text: "" }
    const time = { start: deps.clock(), end: null }
    texts.set(`${type}:${id}`, createTextStream(deps, { ...base, type, time, ...stored(metadata) }))
  }
  const append = (type: "text" | "reasoning", id: string, delta: string) => {
    if (delta === "") return
    if (!texts.has(`${type}:${id}`)) startText(type, id, undefined)
    visible = true
    texts.get(`${type}:${id}`)?.append(delta)
  }
  const startTool = (callID: string, tool: string, metadata: SharedV4ProviderMetadata | undefined) => {
    const part: ToolPart = {
      id: deps.createID("part"),
      sessionID: message.sessionID,
      messageID: message.id,
      type: "tool",
      callID,
      tool,
      state: { status: "pending", input: {}, raw: "" },
      ...stored(metadata),
    }
    const entry = { part, raw: "", shownAt: deps.clock() }
    tools.set(callID, entry)
    visible = true
    void deps.writer.part(part).catch(() => {})
    return entry
  }

  const take = (part: LanguageModelV4StreamPart) => {
    switch (part.type) {
      case "text-start":
        return startText("text", part.id, part.providerMetadata)
      case "text-delta":
        return append("text", part.id, part.delta)
      case "text-end":
        return texts.get(`text:${part.id}`)?.end(stored(part.providerMetadata).providerMetadata)
      case "reasoning-start":
        return startText("reasoning", part.id, part.providerMetadata)
      case "reasoning-delta":
        return append("reasoning", part.id, part.delta)
      case "reasoning-end":
        return texts.get(`reasoning:${part.id}`)?.end(stored(part.providerMetadata).providerMetadata)
      case "tool-input-start":
        startTool(part.id, part.toolName, part.providerMetadata)
        return
      case "tool-input-delta": {
        const entry = tools.get(part.id)
        if (entry === undefined) return
        entry.raw += part.delta
        if (deps.clock() - entry.shownAt < inputMs) return
        entry.shownAt = deps.clock()
        entry.part = { ...entry.part, state: { status: "pending", input: {}, raw: entry.raw } }
        void deps.writer.part(entry.part).catch(() => {})
        return
      }
      case "tool-call": {
        if (part.providerExecuted) return
        const entry = tools.get(part.toolCallId) ?? startTool(part.toolCallId, part.toolName, part.providerMetadata)
        const state = { status: "pending", input: parseInput(part.input), raw: part.input } as const
        entry.part = { ...entry.part, tool: part.toolName, state, ...stored(part.providerMetadata) }
        calls.push(entry.part)
        return
      }
      case "finish":
        finish = isCut(part.finishReason) ? null : part.finishReason.unified
        usage = toTokenUsage(part.usage)
        return
      case "error":
        throw part.error
    }
  }
  return {
    take,
    close: () => {
      for (const text of texts.values()) text.end()
    },
    result: (): StepResult => ({ finish, usage, calls, visible }),
  }
}

/** OpenAI-compatible providers report a connection that closed early as "other" without a raw reason. */
function isCut(reason: { unified: string; raw: string | undefined }): boolean {
  return reason.unified === "other" && reason.raw === undefined
}

/** JSON when it is JSON; the text itself otherwise, for the error that the model reads. */
function parseInput(raw: string): unknown {
  try {
    return JSON.parse(raw === "" ? "{}" : raw)
  } catch {
    return raw
  }
}

export const noTokens: TokenUsage = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** Our counts keep cached input and reasoning apart; providers sum them in different ways. */
export function toTokenUsage(usage: LanguageModelV4Usage): TokenUsage {
  const read = usage.inputTokens.cacheRead ?? 0
  const write = usage.inputTokens.cacheWrite ?? 0
  const reasoning = usage.outputTokens.reasoning ?? 0
  return {
    input: usage.inputTokens.noCache ?? Math.max(0, (usage.inputTokens.total ?? 0) - read - write),
    output: usage.outputTokens.text ?? Math.max(0, (usage.outputTokens.total ?? 0) - reasoning),
    reasoning,
    cache: { read, write },
  }
}

export function addTokens(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cache: { read: a.cache.read + b.cache.read, write: a.cache.write + b.cache.write },
  }
}

function stored(metadata: SharedV4ProviderMetadata | undefined): Pick<TextPart, "providerMetadata"> {
  return metadata === undefined ? {} : { providerMetadata: metadata }
}
