import type { Project, ProviderInfo } from "@docket/core/schema"

const isRehearsal = (provider: ProviderInfo) => provider.models.every((model) => model.rehearsal)

/** Whether the provider is a server on this machine: it needs no key and no environment variable. */
export function isLocal(provider: ProviderInfo): boolean {
  if (provider.source === "local") return true
  // A server that does not run now: it lacks neither a key nor a setting.
  return provider.source === "none" && provider.env.length === 0 && provider.problem === null
}

/** Whether an existing key or server does not work. Without one, `problem` only describes how to connect. */
export function hasProblem(provider: ProviderInfo): boolean {
  return provider.problem !== null && provider.source !== "none"
}

/** Providers sorted by relevance: with a problem, connected, available, local. The rehearsal is left out. */
export function providerGroups(all: readonly ListedProvider[]): { listed: ListedProvider[]; hasModel: boolean } {
  const rank = ({ provider }: ListedProvider) =>
    hasProblem(provider) || provider.missingPackage ? 0 : provider.connected ? 1 : isLocal(provider) ? 3 : 2
  const listed = all
    .filter(({ provider }) => provider.source !== "builtin" || !isRehearsal(provider))
    .sort((a, b) => rank(a) - rank(b) || a.provider.name.localeCompare(b.provider.name))
  return { listed, hasModel: listed.some(({ provider }) => provider.connected && provider.models.length > 0) }
}

/**
 * A provider as Settings lists it. `project` is the project whose docket.json configures it; null for the whole
 * machine.
 */
export interface ListedProvider {
  provider: ProviderInfo
  project: Pick<Project, "id" | "name"> | null
}

/** The machine's providers, followed by those that a project's docket.json adds or changes. */
export function withProjects(
  machine: readonly ProviderInfo[],
  projects: readonly { id: string; name: string; providers: readonly ProviderInfo[] }[],
): ListedProvider[] {
  const listed = machine.map((provider): ListedProvider => ({ provider, project: null }))
  for (const { id, name, providers } of projects) {
    for (const provider of providers) {
      const onMachine = machine.find((other) => other.id === provider.id)
      const isOwn = onMachine === undefined || onMachine.baseURL !== provider.baseURL
      if (isOwn || (provider.source === "config" && onMachine.source !== "config"))
        listed.push({ provider, project: { id, name } })
    }
  }
  return listed
}

/** The source of a provider's credentials, in words. */
export function sourceText(provider: ProviderInfo): string {
  switch (provider.source) {
    case "environment":
      return provider.env.length > 0 ? `Key from ${provider.env.join(" or ")}` : "Key from the environment"
    case "saved":
      return "Key saved here"
    case "config":
      return "From docket.json"
    case "local":
      return `Found where Docket runs${provider.baseURL ? ` at ${provider.baseURL}` : ""}`
    case "plugin":
      return "Signed in with a plugin, in Extensions"
    case "builtin":
      return "Built in"
    case "none":
      return withoutKeyText(provider)
  }
}

/** Describes a missing key. The core's own message would link to this very page. */
function withoutKeyText({ lacks, problem, env }: ProviderInfo): string {
  const variables = env.length > 0 ? `, or set ${env.join(" or ")}` : ""
  if (lacks === "same-key") return "The saved key was for another address or package: save it again here"
  if (lacks === "key") return `Add a key here${variables}`
  return problem ?? (env.length > 0 ? `Add a key here${variables}` : "Not running where Docket runs")
}

/** The source of a provider's credentials, with the project that configures the provider, or the missing package. */
export function originText({ provider, project }: ListedProvider): string {
  const missing = provider.missingPackage ?? null
  const text = missing === null ? sourceText(provider) : "From docket.json"
  const placed =
    project === null ? text : text === "From docket.json" ? `${text} of ${project.name}` : `In ${project.name}: ${text}`
  return missing === null ? placed : `${placed}, by the package ${missing}, which is not installed`
}
