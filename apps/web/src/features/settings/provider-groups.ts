import type { ProviderInfo } from "@docket/core/schema"

const isRehearsal = (provider: ProviderInfo) => provider.models.every((model) => model.rehearsal)

/** Providers in the order of use: with a problem, connected, then those that could be. The rehearsal is left out. */
export function providerGroups(all: ProviderInfo[]): { providers: ProviderInfo[]; hasModel: boolean } {
  const rank = (provider: ProviderInfo) => (provider.problem ? 0 : provider.connected ? 1 : 2)
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
      return provider.env.length > 0 ? `Save a key, or set ${provider.env.join(" or ")}` : "Not connected"
  }
}
