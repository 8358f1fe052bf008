import type { InstalledPackage, ProviderInfo } from "../../ground/schema/index.ts"
import { bundledPackages } from "../config/bundled-packages.ts"
import { isLoopbackURL } from "../config/loopback.ts"
import type { Config } from "../config/schema.ts"
import { type BuiltinProvider, builtinProviders } from "./builtin-providers.ts"
import type { KeyStore } from "./key-store.ts"
import { keyTarget } from "./key-target.ts"
import { type PackageSpec, parsePackageSpec } from "./package/package-spec.ts"
import type { ProviderPackages } from "./package/provider-packages.ts"
import { usualPackage } from "./package/usual-packages.ts"
import { type PluggedProvider, type ProviderAccount, signInAdvice } from "./plugged-providers.ts"
import type { KeyTarget } from "./saved-key.ts"

/** How to reach a provider. It contains the key, so it must not leave this folder. */
export interface Connection {
  id: string
  name: string
  /** The name of the AI SDK package; what docket.json says when that is no name of a package. */
  npm: string
  /** The installed package for the provider; null for one that ships with Docket. */
  package: Pick<InstalledPackage, "name" | "version"> | null
  /** The required package that is not installed. */
  missingPackage: string | null
  /** Null for the installed package's default. */
  baseURL: string | null
  /** The address is the provider's own: docket.json names none. */
  isOwnAddress: boolean
  apiKey: string | null
  headers: Record<string, string>
  /** Other settings from docket.json for the package. */
  options: Record<string, unknown>
  /** Names of the environment variables that may contain the key. */
  env: string[]
  /** The sign-in of a plugin, in place of a key; null for none. */
  account: ProviderAccount | null
  /** Where the key comes from, or else the configuration of the provider. */
  source: ProviderInfo["source"]
  /** True when there is no `problem`. */
  connected: boolean
  /** Why the provider cannot be used. */
  problem: string | null
  /** `key`: only a key is missing; `same-key`: one is saved, but for another address or package. */
  lacks: NonNullable<ProviderInfo["lacks"]> | null
}

export interface ConnectionDeps {
  env: Record<string, string | undefined>
  keys: KeyStore
  packages: Pick<ProviderPackages, "find">
}

type FoundKey = Pick<Connection, "apiKey" | "source"> & { problem?: string; isForAnother?: true }

/** A key in docket.json wins over one saved in Settings, and that over one in the environment. */
async function findKey(
  deps: ConnectionDeps,
  { id, target, config, variables }: { id: string; target: KeyTarget; config: Config; variables: readonly string[] },
): Promise<FoundKey> {
  const options = config.provider?.[id]?.options
  if (options?.apiKey) return { apiKey: options.apiKey, source: "config" }
  const saved = await deps.keys.get(id, target).catch((error: unknown) => (error instanceof Error ? error : null))
  if (saved instanceof Error) return { apiKey: null, source: "none", problem: saved.message }
  if (saved) {
    if (saved.baseURL === target.baseURL && saved.package === target.package) {
      return { apiKey: saved.key, source: "saved" }
    }
    const other = saved.baseURL === target.baseURL ? "package" : "address"
    return {
      apiKey: null,
      source: "none",
      isForAnother: true,
      problem: `The key was saved for another ${other}; save it again in Settings.`,
    }
  }
  const variable = variables.find((name) => deps.env[name])
  const apiKey = variable === undefined ? undefined : deps.env[variable]
  return apiKey ? { apiKey, source: "environment" } : { apiKey: null, source: "none" }
}

/** The package of a provider, with its problem if any. */
interface FoundPackage {
  /** The package name, which decides on options and formats. */
  npm: string
  bundled: boolean
  package: Connection["package"]
  missingPackage: string | null
  problem: string | null
}

async function findPackage({ packages }: ConnectionDeps, named: string): Promise<FoundPackage> {
  const nothing = { bundled: false, package: null, missingPackage: null }
  if (bundledPackages.includes(named)) return { ...nothing, npm: named, bundled: true, problem: null }
  let spec: PackageSpec
  try {
    spec = parsePackageSpec(named)
  } catch (error) {
    return { ...nothing, npm: named, problem: error instanceof Error ? error.message : String(error) }
  }
  const found = await packages.find(spec)
  if (found) return { ...nothing, npm: spec.name, package: { name: found.name, version: found.version }, problem: null }
  const problem = `The package ${named} is not installed. Look at it and install it in Settings, or with: docket package install ${named}`
  return { ...nothing, npm: spec.name, missingPackage: named, problem }
}

interface FoundFacts {
  name: string
  baseURL: string | null
  needsKey: boolean
  env: readonly string[]
  /** The plugin that could sign in. */
  plugin: string | null
}

function findProblem(
  { bundled, problem }: FoundPackage,
  { baseURL, needsKey, name, env, plugin }: FoundFacts,
): string | null {
  if (problem !== null) return problem
  if (bundled && baseURL === null) {
    if (plugin !== null) return `Nobody is signed in to ${name}. ${signInAdvice(plugin)}`
    return `${name} has no address: set options.baseURL in docket.json to that of its API.`
  }
  if (!needsKey) return null
  const variables = env.length > 0 ? `set ${env.join(" or ")}, ` : ""
  const advice = plugin === null ? "" : ` ${signInAdvice(plugin)}`
  return `${name} has no key: ${variables}save one in Settings, or set options.apiKey in docket.json.${advice}`
}

/** Determines package, address, key and state of one provider from config, sign-in, saved keys and environment. */
export async function connectProvider(
  deps: ConnectionDeps,
  { id, config, plugged }: { id: string; config: Config; plugged: PluggedProvider | null },
): Promise<Connection> {
  const builtin: BuiltinProvider | undefined = builtinProviders.find((provider) => provider.id === id)
  const configured = config.provider?.[id]
  const found = await findPackage(deps, configured?.npm ?? builtin?.npm ?? "@ai-sdk/openai-compatible")
  const { npm, bundled } = found
  const usual = usualPackage(npm)
  const name = configured?.name ?? builtin?.name ?? id
  const env = [...(configured?.env ?? builtin?.env ?? usual?.env ?? [])]
  const { baseURL: address, apiKey: _, headers = {}, ...options } = configured?.options ?? {}
  // With only a package in the config, a bundled SDK uses its default address; an installed package knows its own.
  const ownAddress = builtin?.baseURL ?? builtinProviders.find((provider) => provider.npm === npm)?.baseURL ?? null
  const baseURL = address ?? (bundled ? ownAddress : null)
  const target = keyTarget(id, config)
  // A project could send the requests of a sign-in elsewhere.
  const isForTarget =
    plugged !== null && plugged.target.baseURL === target.baseURL && plugged.target.package === target.package
  const account = isForTarget && !configured?.options?.apiKey ? plugged.account : null
  const key: FoundKey =
    account === null ? await findKey(deps, { id, target, config, variables: env }) : { apiKey: null, source: "plugin" }
  const isLocal = baseURL !== null && isLoopbackURL(baseURL)
  const mayGoWithoutKey = Object.keys(headers).length > 0 || npm === "@ai-sdk/openai-compatible" || isLocal
  const signsInByKey = bundled || (usual !== null && usual.env.length > 0)
  const needsKey = key.apiKey === null && account === null && signsInByKey && !mayGoWithoutKey
  const plugin = isForTarget ? plugged.signsIn : null
  // With a sign-in, the plugin may know the address.
  const problem =
    key.problem ?? (account === null ? findProblem(found, { baseURL, needsKey, name, env, plugin }) : found.problem)
  const source = key.source === "none" && configured && problem === null ? "config" : key.source
  const { package: installed, missingPackage } = found
  const lacksKey = needsKey && found.problem === null && baseURL !== null
  const lacks = key.isForAnother ? "same-key" : lacksKey ? "key" : null
  return {
    ...{ id, name, npm, package: installed, missingPackage, baseURL, apiKey: key.apiKey, headers, options, env },
    ...{ isOwnAddress: address === undefined, account, source, connected: problem === null, problem, lacks },
  }
}
