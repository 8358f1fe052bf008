import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider"
import type { MessageWithParts } from "../schema/index.ts"
import { callIDsOf, uniqueCallIDs } from "./call-ids.ts"
import { appendFit } from "./fit-prompt.ts"
import { convertMessage, type PromptTarget } from "./to-model-prompt.ts"

/** The conversation of one session as a model gets it, kept from step to step. */
export interface KeptPrompt {
  /**
   * The transcript for this model, fit for its provider but for its end; a new array at each call. Converted are the
   * messages from the first one that is not the object it was at the last call, so whoever changes a message replaces it.
   */
  of(transcript: readonly MessageWithParts[], target: PromptTarget): LanguageModelV4Prompt
}

/** What the conversation was when a message had been added. */
interface Mark {
  source: MessageWithParts
  length: number
  /** The message at its end: the next one may be joined to it. */
  last: LanguageModelV4Message | undefined
  /** How many ids of calls there were. */
  callIDs: number
}

export function createKeptPrompt(): KeptPrompt {
  let key = ""
  const marks: Mark[] = []
  const spoken: LanguageModelV4Message[] = []
  /** In order, and the same as a set. */
  const callIDs: string[] = []
  const seen = new Set<string>()

  /** Back to what it was after the first `count` messages. */
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
  return {
    of(transcript, target) {
      const wanted = targetKey(target)
      const same = wanted === key ? unchanged(marks, transcript) : 0
      key = wanted
      cutTo(same)
      for (let index = same; index < transcript.length; index++) {
        const source = transcript[index]
        if (source !== undefined) add(source, target)
      }
      return spoken.slice()
    },
  }
}

/** How many of the first messages are those that are kept. */
function unchanged(marks: readonly Mark[], transcript: readonly MessageWithParts[]): number {
  const most = Math.min(marks.length, transcript.length)
  for (let index = 0; index < most; index++) if (marks[index]?.source !== transcript[index]) return index
  return most
}

/** What a message's conversion follows from besides the message. */
function targetKey({ model, inputs }: PromptTarget): string {
  const urls = Object.entries(inputs.urls).map(([type, patterns]) => [type, ...patterns.map(String)])
  return JSON.stringify([model.providerID, model.modelID, inputs.npm, inputs.kinds, urls])
}
