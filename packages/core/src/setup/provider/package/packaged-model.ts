import { DocketError } from "../../../ground/error/docket-error.ts"
import type { InstalledPackage } from "../../../ground/schema/index.ts"
import { redactSecrets } from "../redact-secrets.ts"
import type { AnyLanguageModel } from "../shape-model.ts"
import type { ProviderPackages } from "./provider-packages.ts"

export interface PackagedModelSettings {
  providerID: string
  /** The model's name at the provider. */
  modelID: string
  package: Pick<InstalledPackage, "name" | "version">
  /** Null for the package's default. */
  baseURL: string | null
  /** Null lets the package decide; it may read its own environment variable. */
  apiKey: string | null
  headers: Record<string, string>
  /** Other settings from docket.json. */
  options: Record<string, unknown>
}

type Callable = (...args: unknown[]) => unknown

/**
 * Creates a model from an installed package, as AI SDK packages do: `createX(options)(modelID)`. @throws
 * package_invalid
 */
export async function packagedModel(
  packages: Pick<ProviderPackages, "load">,
  settings: PackagedModelSettings,
  fetch?: typeof globalThis.fetch,
): Promise<AnyLanguageModel> {
  const { name, version } = settings.package
  const fail = (what: string, cause?: unknown): DocketError =>
    new DocketError("package_invalid", `The package ${name}@${version} ${what}`, { cause })
  const factory = findFactory(name, await packages.load(settings.package))
  if (factory === null) throw fail("exports no provider: nothing in it is called create… Use another package.")
  let model: unknown
  try {
    model = modelOf(await factory({ ...factoryOptions(settings), ...(fetch && { fetch }) }), settings.modelID)
  } catch (cause) {
    const reason = redactSecrets(cause instanceof Error ? cause.message : String(cause)).slice(0, 400)
    throw fail(`cannot make the model "${settings.modelID}": ${reason}`, cause)
  }
  if (isLanguageModel(model)) return model
  const spoken = isObject(model) ? String(model.specificationVersion ?? "unknown") : "unknown"
  throw fail(
    `makes models that Docket cannot call (specification ${spoken.slice(0, 20)}; v2, v3 and v4 are known). Install another version.`,
  )
}

function factoryOptions({ providerID, baseURL, apiKey, headers, options }: PackagedModelSettings): object {
  return {
    ...options,
    name: providerID,
    ...(baseURL !== null && { baseURL }),
    ...(apiKey !== null && { apiKey }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

/** The export named create…: the one that contains the package's name, or else the first. */
function findFactory(name: string, module: Record<string, unknown>): Callable | null {
  const fallback = isObject(module.default) ? module.default : {}
  const made = [...Object.entries(module), ...Object.entries(fallback)].filter(
    (entry): entry is [string, Callable] => /^create[A-Z]/.test(entry[0]) && typeof entry[1] === "function",
  )
  const plain = name.replace(/[^a-z0-9]/g, "")
  const own = made.find(([key]) => plain.endsWith(key.slice("create".length).toLowerCase()))
  return (own ?? made[0])?.[1] ?? null
}

function modelOf(provider: unknown, modelID: string): unknown {
  if (isObject(provider) && typeof provider.languageModel === "function") return provider.languageModel(modelID)
  return typeof provider === "function" ? provider(modelID) : null
}

function isLanguageModel(value: unknown): value is AnyLanguageModel {
  return isObject(value) && /^v[234]$/.test(String(value.specificationVersion)) && typeof value.doStream === "function"
}

/** Functions have properties too. */
function isObject(value: unknown): value is Record<string, unknown> {
  return (typeof value === "object" && value !== null) || typeof value === "function"
}
