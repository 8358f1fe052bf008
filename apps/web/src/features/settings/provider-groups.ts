import type { ProviderInfo } from "@docket/core/schema"

const isRehearsal = (provider: ProviderInfo) => provider.models.every((model) => model.rehearsal)

/** A server on this machine: it takes no key and names no variable. */
export function isLocal(provider: ProviderInfo): boolean {
  return (
    provider.source === "local" ||
    (provider.source === "none" && provider.env.length === 0 && provider.problem === null)
  )
}

/** A key or server is there and does not work. Without one, `problem` only says how to connect it. */
export function hasProblem(provider: ProviderInfo): boolean {
  return provider.problem !== null && provider.source !== "none"
}

/** Providers in the order of use: with a problem, connected, then those that could be. The rehearsal is left out. */
export function providerGroups(all: ProviderInfo[]): { providers: ProviderInfo[]; hasModel: boolean } {
  const rank = (provider: ProviderInfo) =>
    hasProblem(provider) ? 0 : provider.connected ? 1 : isLocal(provider) ? 3 : 2
  const providers = all
    .filter((provider) => provider.source !== "builtin" || !isRehearsal(provider))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
  return { providers, hasModel: providers.some((provider) => provider.connected && provider.models.length > 0) }
}

/** Where a provider's credentials come from, in words. */
export function sourceText(provider: ProviderInfo): string {
  switch (provider.source) {
    case "environment":
      return provider.env.length > 0 ? `Key from ${provider.env.join(" or ")}` : "Key from the environment"
    case "saved":
      return "Key saved here"
    case "config":
      return "From docket.json"
    case "local":
      return `Found on this machine${provider.baseURL ? ` at ${provider.baseURL}` : ""}`
    case "builtin":
      return "Built in"
    case "none":
      if (provider.problem) return provider.problem
      return provider.env.length > 0 ? `Save a key, or set ${provider.env.join(" or ")}` : "Not running on this machine"
  }
}
