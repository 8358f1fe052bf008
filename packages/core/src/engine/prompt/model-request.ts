import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider"
import type { ToolSchema } from "../../acts/tool/tool-schemas.ts"
import type { PromptHead } from "../../ground/message/cached-prompt.ts"
import { appendFit, endFit, fitSystem } from "../../ground/message/fit-prompt.ts"
import { type ModelInputs, modelInputs } from "../../ground/message/model-inputs.ts"
import { sendableText } from "../../ground/message/sendable-text.ts"
import { toModelPrompt } from "../../ground/message/to-model-prompt.ts"
import type { MessageWithParts, ModelRef } from "../../ground/schema/index.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import type { Transcript } from "../loop/transcript.ts"
import { type ReadContent, readMedia } from "./read-media.ts"

interface ModelRequest {
  model: ModelRef
  resolved: ResolvedModel
  /** At most two; the first is the same for all sessions, so it is cached well. */
  system: string[]
  transcript: Pick<Transcript, "all" | "prompt" | "promptSize" | "missingTexts" | "putText" | "texts">
  /** What is sent of the transcript, where that differs from all of it. */
  messages?: MessageWithParts[]
  /** Reads what files of the transcript hold. */
  readContent: ReadContent
  /** Docket's notes to the model at the end, each as a user message. */
  notes: string[]
  tools: readonly ToolSchema[]
  /**
   * False for a request that must be answered with text. The tools are listed anyway, because providers refuse a
   * transcript with calls of tools that are not listed.
   */
  mayCall: boolean
}

/** The last messages change with each request: notes are joined to the last one, and the last two carry cache marks. */
const changedAtEnd = 2

/** The prompt and the tools of one model call, in the form that the model's provider accepts. */
export async function modelRequest(
  request: ModelRequest,
): Promise<Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "toolChoice"> & { head: PromptHead }> {
  const { model, resolved, transcript, mayCall } = request
  const { npm } = resolved
  for (const hash of transcript.missingTexts()) {
    const bytes = await request.readContent(hash)
    if (bytes !== null) transcript.putText(hash, bytes.toString("utf8"))
  }
  const inputs = await inputsOf(resolved)
  const { messages } = request
  const isWhole = messages === undefined || messages === transcript.all()
  // What an extension made of it is sent once: nothing of it is kept for the next request.
  const spoken = isWhole
    ? transcript.prompt({ model, inputs })
    : toModelPrompt(messages, model, { inputs, texts: transcript.texts() })
  const count = isWhole ? Math.max(0, spoken.length - changedAtEnd) : 0
  const size = isWhole ? transcript.promptSize(count) : { tokens: 0, largest: 0, units: 0 }
  const texts = request.system.map((content) => ({ role: "system" as const, content: sendableText(content) }))
  const system = fitSystem(texts, npm)
  for (const note of request.notes) {
    appendFit(spoken, { role: "user", content: [{ type: "text", text: sendableText(note) }] }, npm)
  }
  const prompt = await readMedia([...system, ...endFit(spoken)], npm, request.readContent)
  return {
    prompt: applyCachePoints(prompt, npm),
    head: { ...size, from: system.length, count },
    tools: request.tools.map((tool) => ({ type: "function", ...tool })),
    ...(!mayCall && request.tools.length > 0 && { toolChoice: { type: "none" } }),
  }
}

/** Which inputs besides text a model accepts, as far as known. */
export async function inputsOf({ npm, info, model }: ResolvedModel): Promise<ModelInputs> {
  return modelInputs(npm, info.inputs, await model.supportedUrls)
}

/**
 * Sets Anthropic's prompt cache marks on the system messages and the last two others: four marks, the most a request
 * may have. The last mark writes the cache that the next step reads.
 * @param npm the AI SDK package of the provider; for others than Anthropic's, the messages are returned unchanged
 */
export function applyCachePoints(messages: LanguageModelV4Prompt, npm: string): LanguageModelV4Prompt {
  if (npm !== "anthropic" && npm !== "@ai-sdk/anthropic") return messages
  const marked = messages.slice()
  const cacheUpTo = (index: number) => {
    const message = marked[index]
    if (message === undefined) return
    const anthropic = { ...message.providerOptions?.anthropic, cacheControl: { type: "ephemeral" } }
    marked[index] = { ...message, providerOptions: { ...message.providerOptions, anthropic } }
  }
  const spoken = messages.findIndex(({ role }) => role !== "system")
  const first = spoken < 0 ? messages.length : spoken
  for (let index = 0; index < Math.min(2, first); index++) cacheUpTo(index)
  for (let index = Math.max(first, messages.length - 2); index < messages.length; index++) cacheUpTo(index)
  return marked
}
