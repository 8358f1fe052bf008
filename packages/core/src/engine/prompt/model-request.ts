import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { ToolSchema } from "../../acts/tool/tool-schemas.ts"
import { appendFit, endFit, fitSystem } from "../../ground/message/fit-prompt.ts"
import { type ModelInputs, modelInputs } from "../../ground/message/model-inputs.ts"
import { sendableText } from "../../ground/message/sendable-text.ts"
import type { ModelRef } from "../../ground/schema/index.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import type { Transcript } from "../loop/transcript.ts"
import { applyCachePoints } from "./system/apply-cache-points.ts"

interface ModelRequest {
  model: ModelRef
  resolved: ResolvedModel
  /** At most two: the first is the same for all sessions and caches well. */
  system: string[]
  transcript: Pick<Transcript, "prompt">
  /** What Docket says to the model at the end, each as a user message. */
  notes: string[]
  tools: readonly ToolSchema[]
  /**
   * False for a request that is to be answered in text. The tools are named all the same: providers refuse a transcript
   * with calls of tools that they are not told of.
   */
  mayCall: boolean
}

/** The prompt and the tools of one model call, in a form that the model's provider takes. */
export async function modelRequest(
  request: ModelRequest,
): Promise<Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "toolChoice">> {
  const { model, resolved, transcript, mayCall } = request
  const { npm } = resolved
  const spoken = transcript.prompt({ model, inputs: await inputsOf(resolved) })
  const system = request.system.map((content) => ({ role: "system" as const, content: sendableText(content) }))
  for (const note of request.notes) {
    appendFit(spoken, { role: "user", content: [{ type: "text", text: sendableText(note) }] }, npm)
  }
  return {
    prompt: applyCachePoints([...fitSystem(system, npm), ...endFit(spoken)], npm),
    tools: request.tools.map((tool) => ({ type: "function", ...tool })),
    ...(!mayCall && request.tools.length > 0 && { toolChoice: { type: "none" } }),
  }
}

/** What a model reads besides text, as far as it is known. */
export async function inputsOf({ npm, info, model }: ResolvedModel): Promise<ModelInputs> {
  return modelInputs(npm, info.inputs, await model.supportedUrls)
}
