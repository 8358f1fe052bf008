import { isLoopbackURL } from "../config/loopback.ts"
import type { Config } from "../config/schema.ts"
import type { ProviderInfo } from "../schema/index.ts"
import { type BuiltinProvider, builtinProviders } from "./builtin-providers.ts"
import type { KeyStore } from "./key-store.ts"
import { supportedPackages } from "./language-model.ts"

/** How a provider is reached. Holds the key: it stays inside this folder. */
export interface Connection {
  id: string
  name: string
  npm: string
  baseURL: string | null
  apiKey: string | null
  headers: Record<string, string>
  env: string[]
  source: ProviderInfo["source"]
  connected: boolean
  problem: string | null
}

export interface ConnectionDeps {
  env: Record<string, string | undefined>
  keys: KeyStore
}

type FoundKey = Pick<Connection, "apiKey" | "source"> & { problem?: string }

/** A key in docket.json counts before one saved in Settings, that before one in the environment. */
async function findKey(
  deps: ConnectionDeps,
  id: string,
  config: Config,
  variables: readonly string[],
): Promise<FoundKey> {
  const options = config.provider?.[id]?.options
  if (options?.apiKey) return { apiKey: options.apiKey, source: "config" }
  const saved = await deps.keys.get(id).catch((error: unknown) => (error instanceof Error ? error : null))
  if (saved instanceof Error) return { apiKey: null, source: "none", problem: saved.message }
  if (saved) {
    if (saved.baseURL === (options?.baseURL ?? null)) return { apiKey: saved.key, source: "saved" }
    return {
      apiKey: null,
      source: "none",
      problem: "The key was saved for another address; save it again in Settings.",
    }
  }
  const variable = variables.find((name) => deps.env[name])
  const apiKey = variable === undefined ? undefined : deps.env[variable]
  return apiKey ? { apiKey, source: "environment" } : { apiKey: null, source: "none" }
}

function findProblem(
  npm: string,
  baseURL: string | null,
  needsKey: boolean,
  name: string,
  env: readonly string[],
): string | null {
  if (!supportedPackages.some((supported) => supported === npm)) {
    return `The package "${npm}" is not supported; use one of ${supportedPackages.join(", ")}.`
  }
  if (baseURL === null) return `${name} has no address: set options.baseURL in docket.json to that of its API.`
  if (!needsKey) return null
  const variables = env.length > 0 ? `set ${env.join(" or ")}, ` : ""
  return `${name} has no key: ${variables}save one in Settings, or set options.apiKey in docket.json.`
}

/** Works out address, key and state of one provider from config, saved keys and environment. */
export async function connectProvider(deps: ConnectionDeps, id: string, config: Config): Promise<Connection> {
  const builtin: BuiltinProvider | undefined = builtinProviders.find((provider) => provider.id === id)
  const configured = config.provider?.[id]
  const name = configured?.name ?? builtin?.name ?? id
  const npm = configured?.npm ?? builtin?.npm ?? "@ai-sdk/openai-compatible"
  const env = [...(configured?.env ?? builtin?.env ?? [])]
  // An SDK's own address counts where config names the package only.
  const home = builtin?.baseURL ?? builtinProviders.find((provider) => provider.npm === npm)?.baseURL ?? null
  const baseURL = configured?.options?.baseURL ?? home
  const key = await findKey(deps, id, config, env)
  const headers = configured?.options?.headers ?? {}
  const keyless = Object.keys(headers).length > 0 || npm === "@ai-sdk/openai-compatible"
  const needsKey = key.apiKey === null && !(keyless || (baseURL !== null && isLoopbackURL(baseURL)))
  const problem = key.problem ?? findProblem(npm, baseURL, needsKey, name, env)
  const source = key.source === "none" && configured && problem === null ? "config" : key.source
  return { id, name, npm, baseURL, apiKey: key.apiKey, headers, env, source, connected: problem === null, problem }
}
