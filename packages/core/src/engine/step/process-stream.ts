import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider"
import { parseJson } from "../../acts/tool/parse-json.ts"
import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { noTokens, toTokenUsage } from "../../ground/message/usage.ts"
import type { AssistantMessage, ReasoningPart, TextPart, TokenUsage, ToolPart } from "../../ground/schema/index.ts"
import { finishOf, maxAnswerLength, OutputLengthError } from "../../setup/provider/read-stream.ts"
import type { TurnWriter } from "../loop/turn-writer.ts"
import { type AnswerFilesDeps, answerFile } from "./answer-files.ts"

export interface StepResult {
  /** `stop`, `length`, `tool-calls`…; null when the stream ended without one. */
  finish: string | null
  usage: TokenUsage
  /** Tool parts of the step in the order of the calls, in state `pending`. */
  calls: ToolPart[]
}

interface StreamDeps {
  writer: TurnWriter
  createID: CreateId
  clock: () => number
}

interface AnswerDeps extends StreamDeps, AnswerFilesDeps {
  /** What is stored of a text that has come to its end. */
  complete?(text: string, partID: string): Promise<string>
}

/**
 * Stores what a model streams as parts of `message`, as it arrives. Tool calls are only recorded. When
 * the stream fails, everything that was received is kept and the error is thrown.
 * @throws OutputLengthError when the answer does not end
 */
export async function processStream(
  deps: AnswerDeps,
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
          await texts.complete(part.id, part.providerMetadata)
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
        case "file":
          void deps.writer.part(await answerFile(deps, message, part))
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

/** Arguments that are still streaming are published at most this often (ms). */
const inputMs = 200

interface Entry {
  /** The id from the provider. */
  given: string
  part: ToolPart
  raw: string
  shownAt: number
}

/** The tool calls of one step. They are recorded here and run later. */
interface StepCalls {
  start(callID: string, tool: string, metadata: SharedV4ProviderMetadata | undefined): void
  append(callID: string, delta: string): void
  /** The call is complete; `input` is JSON text. */
  complete(call: { callID: string; tool: string; input: string; metadata: SharedV4ProviderMetadata | undefined }): void
  /** Complete calls in order, in state `pending`. */
  completed(): ToolPart[]
}

function createStepCalls(deps: StreamDeps, message: AssistantMessage): StepCalls {
  /** Calls whose arguments are still streaming. */
  const open: Entry[] = []
  const completed: ToolPart[] = []
  const callIDs = new Set<string>()
  const write = (part: ToolPart) => void deps.writer.part(part)
  const start = (given: string, tool: string, metadata: SharedV4ProviderMetadata | undefined): Entry => {
    const callID = unusedID(given, callIDs)
    callIDs.add(callID)
    const place = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id }
    const state = { status: "pending", input: {}, raw: "" } as const
    const part: ToolPart = { ...place, type: "tool", callID, tool, state, ...storedMetadata(metadata) }
    const entry = { given, part, raw: "", shownAt: deps.clock() }
    open.push(entry)
    write(part)
    return entry
  }
  return {
    start(callID, tool, metadata) {
      start(callID, tool, metadata)
    },
    append(callID, delta) {
      const entry = open.findLast(({ given }) => given === callID)
      if (entry === undefined) return
      entry.raw += delta
      if (deps.clock() - entry.shownAt < inputMs) return
      entry.shownAt = deps.clock()
      entry.part = { ...entry.part, state: { status: "pending", input: {}, raw: entry.raw } }
      write(entry.part)
    },
    complete({ callID, tool, input, metadata }) {
      const entry = open.find(({ given }) => given === callID) ?? start(callID, tool, metadata)
      open.splice(open.indexOf(entry), 1)
      const state = { status: "pending", input: parseInput(input), raw: input } as const
      entry.part = { ...entry.part, tool, state, ...mergedMetadata(entry.part.providerMetadata, metadata) }
      completed.push(entry.part)
    },
    completed: () => completed,
  }
}

/** Weak models give two calls of one answer the same id. Each call must find its own result and its own task. */
function unusedID(given: string, used: ReadonlySet<string>): string {
  let callID = given
  for (let n = 2; used.has(callID); n++) callID = `${given}_${n}`
  return callID
}

/** Parsed JSON. Invalid JSON stays text, for the error that the model reads. */
function parseInput(raw: string): unknown {
  return parseJson(raw === "" ? "{}" : raw) ?? raw
}

type Kind = "text" | "reasoning"

/** The text and reasoning parts of one step, by the provider's ids. */
interface StepTexts {
  start(kind: Kind, id: string, metadata: SharedV4ProviderMetadata | undefined): void
  append(kind: Kind, id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void
  end(kind: Kind, id: string, metadata: SharedV4ProviderMetadata | undefined): void
  /** Ends a text, and stores what is made of it. */
  complete(id: string, metadata: SharedV4ProviderMetadata | undefined): Promise<void>
  endAll(): void
}

function createStepTexts(deps: AnswerDeps, message: AssistantMessage): StepTexts {
  const texts = new Map<string, TextStream>()
  const start: StepTexts["start"] = (type, id, metadata) => {
    // Some providers reuse an id for the next text.
    texts.get(`${type}:${id}`)?.end()
    const base = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id, text: "" }
    const time = { start: deps.clock(), end: null }
    texts.set(`${type}:${id}`, createTextStream(deps, { ...base, type, time, ...storedMetadata(metadata) }))
  }
  return {
    start,
    append(kind, id, delta, metadata) {
      if (delta === "" && metadata === undefined) return
      // Some providers omit the start.
      if (!texts.has(`${kind}:${id}`)) start(kind, id, undefined)
      const text = texts.get(`${kind}:${id}`)
      // A signature comes without text.
      text?.annotate(metadata)
      if (delta !== "") text?.append(delta)
    },
    end(kind, id, metadata) {
      const text = texts.get(`${kind}:${id}`)
      text?.annotate(metadata)
      text?.end()
    },
    async complete(id, metadata) {
      const text = texts.get(`text:${id}`)
      text?.annotate(metadata)
      if (text !== undefined && deps.complete !== undefined) text.end(await deps.complete(text.text(), text.partID))
      else text?.end()
    },
    endAll() {
      for (const text of texts.values()) text.end()
    },
  }
}

/** Deltas of one part are collected for this long (ms) before they are published. */
const deltaMs = 25
/**
 * Published text is stored within this time (ms): a crash loses at most this much. After the same time without new text
 * the whole part is published, for readers that arrived between a delta and its row.
 */
const flushMs = 250

interface TextStream {
  append(text: string): void
  /** Adds provider metadata to the part; it is stored with the text. */
  annotate(providerMetadata: TextPart["providerMetadata"]): void
  partID: string
  text(): string
  /** Stores the whole text, or what was made of it. Further calls do nothing. */
  end(made?: string): void
}

/** Streams one text or reasoning part: publishes deltas, and stores the text from time to time. */
export function createTextStream(
  { writer, clock, timers = nodeTimers }: { writer: TurnWriter; clock: () => number; timers?: Timers },
  initial: TextPart | ReasoningPart,
): TextStream {
  let part = initial
  let text = initial.text
  let sent = text.length
  let created = false
  let ended = false
  let cancelSend: (() => void) | null = null
  let cancelFlush: (() => void) | null = null
  let flushed = sent
  const flush = () => {
    const isPause = sent === flushed
    flushed = sent
    cancelFlush = isPause ? null : timers.after(flushMs, flush)
    part = { ...part, text: text.slice(0, sent) }
    void writer.part(part, { quiet: !isPause })
  }
  const send = () => {
    cancelSend = null
    // Readers cannot place a delta of a part that they have not received.
    if (!created || ended || sent === text.length) return
    writer.delta(part, sent, text.slice(sent))
    sent = text.length
    cancelFlush ??= timers.after(flushMs, flush)
  }
  const schedule = () => {
    cancelSend ??= timers.after(deltaMs, send)
  }
  writer.part(part).then(
    () => {
      created = true
      if (sent < text.length) schedule()
    },
    () => {},
  )
  return {
    append(more) {
      text += more
      schedule()
    },
    annotate(providerMetadata) {
      part = { ...part, ...mergedMetadata(part.providerMetadata, providerMetadata) }
    },
    partID: initial.id,
    text: () => text,
    end(made = text) {
      if (ended) return
      ended = true
      cancelSend?.()
      cancelFlush?.()
      const time = { start: part.time?.start ?? clock(), end: clock() }
      void writer.part({ ...part, text: made, time })
    },
  }
}

type Stored = TextPart["providerMetadata"]

/** Provider metadata in the form of a part: absent when there is none. */
function storedMetadata(metadata: SharedV4ProviderMetadata | undefined): Pick<TextPart, "providerMetadata"> {
  return metadata === undefined ? {} : { providerMetadata: metadata }
}

/**
 * Merges provider metadata of a part. Providers send it in pieces (Anthropic a signature, OpenAI an id first and the
 * encrypted reasoning at the end), and a later null removes nothing.
 */
function mergedMetadata(known: Stored, added: Stored): Pick<TextPart, "providerMetadata"> {
  if (added === undefined) return known === undefined ? {} : { providerMetadata: known }
  const merged: NonNullable<Stored> = { ...known }
  for (const [provider, values] of Object.entries(added)) {
    const old = merged[provider]
    const news = Object.entries(values).filter(([key, value]) => value !== null || old?.[key] === undefined)
    merged[provider] = { ...old, ...Object.fromEntries(news) }
  }
  return { providerMetadata: merged }
}
