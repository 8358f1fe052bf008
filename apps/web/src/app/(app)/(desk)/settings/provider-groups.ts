import type { Project, ProviderInfo } from "@docket/core/schema"

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
export function providerGroups(all: readonly ListedProvider[]): { listed: ListedProvider[]; hasModel: boolean } {
  const rank = ({ provider }: ListedProvider) =>
    hasProblem(provider) || provider.missingPackage ? 0 : provider.connected ? 1 : isLocal(provider) ? 3 : 2
  const listed = all
    .filter(({ provider }) => provider.source !== "builtin" || !isRehearsal(provider))
    .sort((a, b) => rank(a) - rank(b) || a.provider.name.localeCompare(b.provider.name))
  return { listed, hasModel: listed.some(({ provider }) => provider.connected && provider.models.length > 0) }
}

/** A provider as Settings lists it. `project` names the one whose docket.json sets it up; null for the whole machine. */
export interface ListedProvider {
  provider: ProviderInfo
  project: Pick<Project, "id" | "name"> | null
}

/** The machine's providers, then what each project's docket.json adds to them or sets up otherwise. */
export function withProjects(
  machine: readonly ProviderInfo[],
  projects: readonly { id: string; name: string; providers: readonly ProviderInfo[] }[],
): ListedProvider[] {
  const listed = machine.map((provider): ListedProvider => ({ provider, project: null }))
  for (const { id, name, providers } of projects) {
    for (const provider of providers) {
      const known = machine.find((other) => other.id === provider.id)
      const isOwn = known === undefined || known.baseURL !== provider.baseURL
      if (isOwn || (provider.source === "config" && known.source !== "config"))
        listed.push({ provider, project: { id, name } })
    }
  }
  return listed
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
      return `Found where Docket runs${provider.baseURL ? ` at ${provider.baseURL}` : ""}`
    case "builtin":
      return "Built in"
    case "none":
      return withoutKeyText(provider)
  }
}

/** What the core says of a key that is not there sends people to the page that they see already. */
function withoutKeyText({ lacks, problem, env }: ProviderInfo): string {
  const variables = env.length > 0 ? `, or set ${env.join(" or ")}` : ""
  if (lacks === "same-key") return "The saved key was for another address or package: save it again here"
  if (lacks === "key") return `Add a key here${variables}`
  return problem ?? (env.length > 0 ? `Add a key here${variables}` : "Not running where Docket runs")
}

/** The same with the project that sets the provider up, and with the package that it lacks. */
export function originText({ provider, project }: ListedProvider): string {
  const missing = provider.missingPackage ?? null
  const text = missing === null ? sourceText(provider) : "From docket.json"
  const placed =
    project === null ? text : text === "From docket.json" ? `${text} of ${project.name}` : `In ${project.name}: ${text}`
  return missing === null ? placed : `${placed}, by the package ${missing}, which is not installed`
}
