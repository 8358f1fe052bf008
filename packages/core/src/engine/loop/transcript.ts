import type { LanguageModelV4Prompt } from "@ai-sdk/provider"
import { isTextual } from "../../ground/media/media-type.ts"
import { createCachedPrompt, type PromptSize } from "../../ground/message/cached-prompt.ts"
import { filesOf } from "../../ground/message/part-files.ts"
import type { PromptTarget } from "../../ground/message/to-model-prompt.ts"
import {
  attachedHash,
  type Message,
  type MessageWithParts,
  type Part,
  type Session,
  type Turn,
} from "../../ground/schema/index.ts"

/**
 * The transcript of a session since the last compaction, as the loop needs it. A change replaces only the message it
 * affects, so that the converted prompt of the others stays cached: see `CachedPrompt`.
 */
export interface Transcript {
  all(): MessageWithParts[]
  /** The hashes of kept texts that `putText` did not bring yet. */
  missingTexts(): string[]
  putText(hash: string, text: string): void
  /** The kept texts, by hash. */
  texts(): ReadonlyMap<string, string>
  /**
   * The transcript as prompt messages for this provider, without its final adjustments; a new array at each call. Bring
   * the missing texts first.
   */
  prompt(target: Omit<PromptTarget, "texts">): LanguageModelV4Prompt
  /** The size of the first `count` messages of the last prompt. */
  promptSize(count: number): PromptSize
  get(messageID: string): MessageWithParts | undefined
  putMessage(info: Message): void
  putPart(part: Part): void
  removePart(messageID: string, partID: string): void
  /** When outputs of calls were last cleared (epoch ms); 0 for never. */
  clearedAt(): number
  /** Index of the last answer whose input tokens the provider reported; -1 for none. */
  countedAt(): number
  /** Drops everything before a compaction summary. */
  startAt(messageID: string): void
}

export function createTranscript(initial: MessageWithParts[]): Transcript {
  let messages = initial.slice()
  const cachedPrompt = createCachedPrompt()
  const texts = new Map<string, string>()
  const missing = new Set(initial.flatMap(({ parts }) => parts).flatMap(keptTexts))
  /** How many of the first messages have not changed since the last prompt. */
  let same = 0
  // Cached, because each step asks for it and the search walks all parts.
  let clearedAt = messages.flatMap(({ parts }) => parts).reduce((last, part) => Math.max(last, timeCleared(part)), 0)
  let countedAt = messages.findLastIndex(({ info }) => isCounted(info))
  const places = new Map(messages.map((message, index) => [message.info.id, index]))
  const replace = (messageID: string, change: (message: MessageWithParts) => MessageWithParts) => {
    const index = places.get(messageID)
    const message = index === undefined ? undefined : messages[index]
    if (index === undefined || message === undefined) return
    messages[index] = change(message)
    same = Math.min(same, index)
  }
  return {
    all: () => messages,
    missingTexts: () => [...missing],
    putText(hash, text) {
      texts.set(hash, text)
      missing.delete(hash)
    },
    texts: () => texts,
    prompt(target) {
      const prompt = cachedPrompt.of(messages, { ...target, texts }, same)
      same = messages.length
      return prompt
    },
    promptSize: cachedPrompt.sizeOf,
    get: (messageID) => messages[places.get(messageID) ?? -1],
    putMessage(info) {
      if (places.has(info.id)) replace(info.id, (message) => ({ ...message, info }))
      else places.set(info.id, messages.push({ info, parts: [] }) - 1)
      const place = places.get(info.id) ?? -1
      if (isCounted(info)) countedAt = Math.max(countedAt, place)
      else if (place === countedAt) countedAt = messages.findLastIndex((message) => isCounted(message.info))
    },
    putPart(part) {
      clearedAt = Math.max(clearedAt, timeCleared(part))
      for (const hash of keptTexts(part)) if (!texts.has(hash)) missing.add(hash)
      replace(part.messageID, (message) => {
        const at = message.parts.findIndex((candidate) => candidate.id === part.id)
        const parts = at < 0 ? [...message.parts, part] : message.parts.with(at, part)
        return { ...message, parts }
      })
    },
    removePart(messageID, partID) {
      replace(messageID, (message) => ({ ...message, parts: message.parts.filter((part) => part.id !== partID) }))
    },
    clearedAt: () => clearedAt,
    countedAt: () => countedAt,
    startAt(messageID) {
      messages = messages.slice(places.get(messageID) ?? 0)
      same = 0
      countedAt = messages.findLastIndex(({ info }) => isCounted(info))
      places.clear()
      for (const [index, message] of messages.entries()) places.set(message.info.id, index)
    },
  }
}

/** The hashes of texts that a part has in kept files. */
function keptTexts(part: Part): string[] {
  return filesOf(part).flatMap(({ mime, url }) => (isTextual(mime) ? (attachedHash(url) ?? []) : []))
}

function isCounted(info: Message): boolean {
  return info.role === "assistant" && info.tokens.input > 0
}

function timeCleared(part: Part): number {
  if (part.type !== "tool" || (part.state.status !== "completed" && part.state.status !== "error")) return 0
  return part.state.time.compacted ?? 0
}

/** Transcripts of sessions that ran recently, so that a long one is not read again for each turn. */
export interface TranscriptCache {
  /** The transcript after the last turn here, unless the session's row names a later writer. */
  get(session: Session): Transcript | undefined
  /** Caches the transcript that `turn` writes. */
  set(turn: Turn, transcript: Transcript): void
  delete(sessionID: string): void
}

/** Caches the transcripts of the `size` sessions that ran last. */
export function createTranscriptCache(size: number): TranscriptCache {
  const cached = new Map<string, { transcript: Transcript; turn: Turn }>()
  return {
    get({ id, writtenBy }) {
      const { transcript, turn } = cached.get(id) ?? {}
      return turn !== undefined && writtenBy?.turnID === turn.id && writtenBy.epoch === turn.epoch
        ? transcript
        : undefined
    },
    set(turn, transcript) {
      cached.delete(turn.sessionID)
      cached.set(turn.sessionID, { transcript, turn })
      const oldest = cached.keys().next()
      if (cached.size > size && !oldest.done) cached.delete(oldest.value)
    },
    delete: (sessionID) => {
      cached.delete(sessionID)
    },
  }
}
