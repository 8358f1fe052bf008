import { access } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4, LanguageModelV4Middleware } from "@ai-sdk/provider"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Config } from "../config/schema.ts"
import { type ReasoningTag, reasoningTag } from "./reasoning-tag.ts"
import { redactSecrets } from "./redact-secrets.ts"

/** A model of any specification that the AI SDK still supports. */
export type AnyLanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

type CallSettings = Parameters<typeof import("ai").defaultSettingsMiddleware>[0]["settings"]

/**
 * Wraps a model with its shaping, in the specification that the loop uses (v4). A v4 model without shaping is returned
 * unchanged, because loading `ai` takes about 35 ms and 7 MB.
 * @throws config_invalid when a middleware cannot be used
 */
export async function shapeModel(
  model: AnyLanguageModel,
  { reasoning, settings, middleware }: CallShaping,
  loadMiddleware: LoadMiddleware,
): Promise<LanguageModelV4> {
  const userMiddleware = await Promise.all(middleware.map(loadMiddleware))
  const defaults = callSettings(settings)
  const isUnshaped = reasoning === null && userMiddleware.length === 0 && Object.keys(defaults).length === 0
  if (isUnshaped && model.specificationVersion === "v4") return model
  const { wrapLanguageModel, defaultSettingsMiddleware, extractReasoningMiddleware } = await import("ai")
  // Otherwise it prints a warning for every model with an older specification.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return wrapLanguageModel({
    model,
    // The first one sees the call first. The user's middlewares get the settings of docket.json, and thinking separated
    // from text.
    middleware: [
      ...(Object.keys(defaults).length > 0 ? [defaultSettingsMiddleware({ settings: defaults })] : []),
      ...userMiddleware,
      ...(reasoning === null
        ? []
        : [extractReasoningMiddleware({ tagName: reasoning.tag, startWithReasoning: reasoning.beginsInside })]),
    ],
  })
}

/** The settings in AI SDK names. Unset ones are omitted, so that they override nothing. */
function callSettings(settings: CallShaping["settings"]): CallSettings {
  const named = {
    temperature: settings.temperature,
    topP: settings.top_p,
    topK: settings.top_k,
    maxOutputTokens: settings.max_output_tokens,
    presencePenalty: settings.presence_penalty,
    frequencyPenalty: settings.frequency_penalty,
    seed: settings.seed,
    stopSequences: settings.stop,
  }
  // Every name of the result is one of `CallSettings`.
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as CallSettings
}

type ProviderConfig = NonNullable<Config["provider"]>[string]
type SettingsConfig = NonNullable<ProviderConfig["settings"]>

/** Wrappers and defaults for a model's calls. Plain data: equal shaping of equal models gives the same model object. */
export interface CallShaping {
  /** How the model marks thinking in its text; null when it does not. */
  reasoning: ReasoningTag | null
  /** Defaults for call settings, in the names of docket.json. */
  settings: SettingsConfig
  /** Names of the user's middlewares, outermost first. */
  middleware: readonly string[]
}

/**
 * The shaping of one model: from its own entry, or else its provider's, or else from what is known about such models.
 * `served` is the id by which the provider knows it.
 */
export function callShaping(
  provider: ProviderConfig | undefined,
  model: { id: string; served: string; npm: string; baseURL: string | null },
): CallShaping {
  const own = provider?.models?.[model.id]
  return {
    reasoning: reasoningTag(own?.reasoning_tag ?? provider?.reasoning_tag, model),
    settings: { ...provider?.settings, ...own?.settings },
    middleware: own?.middleware ?? provider?.middleware ?? [],
  }
}

/** Loads the user's middleware with that name. @throws config_invalid */
type LoadMiddleware = (name: string) => Promise<LanguageModelV4Middleware>

const extensions = [".ts", ".mjs", ".js"]
const hooks = [
  "transformParams",
  "wrapStream",
  "wrapGenerate",
  "overrideProvider",
  "overrideModelId",
  "overrideSupportedUrls",
]

/**
 * Loads middlewares from one directory beside the user's own docket.json. The config names them without a path, so a
 * trusted project can select the user's middlewares but not add its own.
 */
export function createMiddlewareLoader(directory: string | null): LoadMiddleware {
  return async (name) => {
    const file = directory === null ? null : await findFile(directory, name)
    if (file === null) {
      const where = directory === null ? "" : ` in ${directory}`
      throw new DocketError(
        "config_invalid",
        `There is no middleware "${name}"${where}: a file ${name}.ts, .mjs or .js.`,
      )
    }
    const loaded: unknown = await importFile(file)
    if (isMiddleware(loaded)) return loaded
    const message = `${file} exports no middleware: its default export is to be an object with ${hooks.slice(0, 3).join(", ")} or the like.`
    throw new DocketError("config_invalid", message)
  }
}

async function findFile(directory: string, name: string): Promise<string | null> {
  for (const extension of extensions) {
    const file = join(directory, `${name}${extension}`)
    const exists = await access(file).then(
      () => true,
      () => false,
    )
    if (exists) return file
  }
  return null
}

async function importFile(file: string): Promise<unknown> {
  try {
    const module: { default?: unknown } = await import(pathToFileURL(file).href)
    return module.default
  } catch (error) {
    const reason = redactSecrets(error instanceof Error ? error.message : String(error))
    throw new DocketError("config_invalid", `The middleware ${file} cannot be loaded: ${reason}`, { cause: error })
  }
}

function isMiddleware(value: unknown): value is LanguageModelV4Middleware {
  return typeof value === "object" && value !== null && hooks.some((hook) => hook in value)
}
