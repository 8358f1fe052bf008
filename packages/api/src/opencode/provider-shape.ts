import type { ModelInfo, ModelRef, ProviderInfo } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"

/** Providers as OpenCode's clients read them, and the model of each that a client takes first. */
export function providerList(providers: readonly ProviderInfo[], usual: ModelRef | null) {
  const first = providers.flatMap(({ id, models: [model] }) => (model === undefined ? [] : [[id, model.id]]))
  const chosen: Record<string, string> = Object.fromEntries(first)
  if (usual !== null && providers.some(({ id }) => id === usual.providerID)) chosen[usual.providerID] = usual.modelID
  return { all: providers.map(providerShape), default: chosen }
}

const sources = {
  environment: "env",
  saved: "api",
  config: "config",
  local: "custom",
  builtin: "custom",
  plugin: "custom",
  none: "custom",
} as const satisfies Record<ProviderInfo["source"], Sdk.Provider["source"]>

/** A provider with its models. Keys never leave the service. */
export function providerShape({ id, name, source, env, baseURL, models }: ProviderInfo) {
  return {
    ...{ id, name, source: sources[source], env },
    options: baseURL === null ? {} : { baseURL },
    models: Object.fromEntries(models.map((model) => [model.id, modelShape(model, baseURL)])),
  } satisfies Sdk.Provider
}

/** `release_date`, `attachment`, `reasoning`, `temperature` and `tool_call` beside `capabilities` are for the older SDK. */
function modelShape(model: ModelInfo, baseURL: string | null) {
  const { id, providerID, name, limit, cost, reasoning, toolCall, inputs = [], variants } = model
  const reads = (kind: (typeof inputs)[number]) => inputs.includes(kind)
  const attachment = reads("image") || reads("pdf")
  return {
    ...{ id, providerID, name, reasoning, attachment, temperature: true, tool_call: toolCall },
    api: { id, url: baseURL ?? "", npm: "" },
    capabilities: {
      ...{ temperature: true, reasoning, attachment, toolcall: toolCall, interleaved: false },
      input: { text: true, audio: reads("audio"), image: reads("image"), video: reads("video"), pdf: reads("pdf") },
      output: { text: true, audio: false, image: false, video: false, pdf: false },
    },
    cost: {
      input: cost?.input ?? 0,
      output: cost?.output ?? 0,
      cache: { read: cost?.cacheRead ?? 0, write: cost?.cacheWrite ?? 0 },
    },
    limit: { context: limit.context, output: limit.output, ...(limit.input !== undefined && { input: limit.input }) },
    status: "active" as const,
    options: {},
    headers: {},
    release_date: "",
    variants: Object.fromEntries(variants.map((variant) => [variant, {}])),
  } satisfies Sdk.Model
}
