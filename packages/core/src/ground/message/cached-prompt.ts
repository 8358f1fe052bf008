import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider"
import type { MessageWithParts } from "../schema/index.ts"
import { appendFit } from "./fit-prompt.ts"
import { leastMessageTokens } from "./least-tokens.ts"
import { conversationTextUnits } from "./prompt-units.ts"
import { callIDsOf, convertMessage, type PromptTarget, uniqueCallIDs } from "./to-model-prompt.ts"

/** How large some messages of a prompt are together. */
export interface PromptSize {
  /** The fewest tokens that they can be, see `leastTokens`. */
  tokens: number
  /** The tokens of the message that has most. */
  largest: number
  /** See `conversationTextUnits`. */
  units: number
}

/** Kept messages that a prompt repeats unchanged, with their size, so that nobody has to measure them again. */
export interface PromptHead extends PromptSize {
  /** Index of the first of them in the prompt: the system messages come before it. */
  from: number
  count: number
}

/** The conversation of one session as a model gets it, kept from step to step. */
export interface CachedPrompt {
  /**
   * The transcript for this model, fit for its provider except for its end (see `endFit`); a new array at each call.
   * Messages are converted again from the first one that is another object than at the last call, so a changed message
   * must be a new object.
   *
   * @param known how many of the first messages are known to be those of the last call; they are not compared
   */
  of(transcript: readonly MessageWithParts[], target: PromptTarget, known?: number): LanguageModelV4Prompt
  /** The size of the first `count` messages of the prompt that was made last. */
  sizeOf(count: number): PromptSize
}

const nothing: PromptSize = { tokens: 0, largest: 0, units: 0 }

/** The state of the conversation after a message was added. */
interface Mark {
  source: MessageWithParts
  length: number
  /** The message at its end: the next one may be joined to it. */
  last: LanguageModelV4Message | undefined
  /** How many ids of calls there were. */
  callIDs: number
}

export function createCachedPrompt(): CachedPrompt {
  let key = ""
  const marks: Mark[] = []
  const spoken: LanguageModelV4Message[] = []
  /** The ids of calls in order, and the same as a set. */
  const callIDs: string[] = []
  const seen = new Set<string>()
  /** For each message of `spoken`, the size of all messages up to it. */
  const sizes: PromptSize[] = []

  /** Removes everything that came after the first `count` messages of the transcript. */
  const cutTo = (count: number) => {
    if (count === marks.length) return
    marks.length = count
    const mark = marks.at(-1)
    spoken.length = mark?.length ?? 0
    if (mark?.last !== undefined) spoken[spoken.length - 1] = mark.last
    for (const id of callIDs.splice(mark?.callIDs ?? 0)) seen.delete(id)
  }
  const add = (source: MessageWithParts, target: PromptTarget) => {
    const { converted, partIDs } = convertMessage(source, target)
    const unique = partIDs.length === 0 ? converted : uniqueCallIDs(converted, partIDs, seen)
    for (const message of unique) appendFit(spoken, message, target.inputs.npm)
    if (partIDs.length > 0) callIDs.push(...unique.flatMap(callIDsOf))
    marks.push({ source, length: spoken.length, last: spoken.at(-1), callIDs: callIDs.length })
  }
  /** Measures the messages from `first` on, the first that may have changed. */
  const measureFrom = (first: number) => {
    sizes.length = Math.min(sizes.length, first)
    for (const message of spoken.slice(sizes.length)) {
      const before = sizes.at(-1) ?? nothing
      const tokens = leastMessageTokens(message)
      const units = before.units + conversationTextUnits([message])
      sizes.push({ tokens: before.tokens + tokens, largest: Math.max(before.largest, tokens), units })
    }
  }
  return {
    of(transcript, target, known = 0) {
      const nextKey = targetKey(target)
      const same = nextKey === key ? unchanged(marks, transcript, known) : 0
      key = nextKey
      cutTo(same)
      // What is added may be joined to the last message.
      const first = Math.max(0, spoken.length - 1)
      for (let index = same; index < transcript.length; index++) {
        const source = transcript[index]
        if (source !== undefined) add(source, target)
      }
      measureFrom(first)
      return spoken.slice()
    },
    sizeOf: (count) => sizes[count - 1] ?? nothing,
  }
}

/** How many of the first messages are the kept ones; of the first `known`, the caller knows it. */
function unchanged(marks: readonly Mark[], transcript: readonly MessageWithParts[], known: number): number {
  const most = Math.min(marks.length, transcript.length)
  for (let index = Math.min(known, most); index < most; index++)
    if (marks[index]?.source !== transcript[index]) return index
  return most
}

/** All that the conversion of a message depends on, besides the message. */
function targetKey({ model, inputs }: PromptTarget): string {
  const urls = Object.entries(inputs.urls).map(([type, patterns]) => [type, ...patterns.map(String)])
  return JSON.stringify([model.providerID, model.modelID, inputs.npm, inputs.kinds, urls])
}
