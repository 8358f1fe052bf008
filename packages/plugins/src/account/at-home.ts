import type { ExtensionPlace } from "@docket/core/extension-host"
import type { FoundPackages } from "@docket/core/installed-packages"
import { createSecretFile } from "@docket/core/secret-file"
import type { LoadedPlugin } from "../child-messages.ts"
import { type PluginEntry, pluginEntries } from "../plugin-entries.ts"
import { createAccountDoor } from "./account-door.ts"
import { type AccountPrograms, type AccountProgramsDeps, createAccountPrograms } from "./account-programs.ts"
import { type Ability, createPluginAbilities, type PluginAbilities } from "./plugin-abilities.ts"
import { createPluginSignIns, type PluginSignIns } from "./sign-in-store.ts"

/** ms for which a change of the configuration may stay unseen. */
const freshMs = 1_000

/** A plugin of the user's own configuration that has to do with providers. */
export interface AccountPlugin {
  /** By which people name it. */
  name: string
  entry: PluginEntry
  ability: Ability
}

/** The plugins of the user's own configuration that may sign in and name models. */
export interface AtHome {
  place: ExtensionPlace
  /** In the order in which plugins are asked. */
  plugins: readonly AccountPlugin[]
  signIns: PluginSignIns
}

export interface PluginsAtHome {
  /** Looks at new ones. Null where plugins sign in to nothing, as several people share the service. */
  find(): Promise<AtHome | null>
  /** The same without those that are new: nothing is started. */
  peek(): Promise<AtHome | null>
  /** What plugins do for providers is known, as they were loaded elsewhere. */
  learn(found: ReadonlyMap<PluginEntry, LoadedPlugin>): Promise<void>
  programs: AccountPrograms
  /** What was found is old. */
  forget(): void
}

export interface AtHomeDeps extends AccountProgramsDeps {
  clock(): number
  packages: FoundPackages
}

export function createPluginsAtHome(deps: AtHomeDeps, placeOfHome: () => Promise<ExtensionPlace>): PluginsAtHome {
  let kept: { at: number; found: Promise<AtHome | null> } | null = null
  let saved: { signIns: PluginSignIns; abilities: PluginAbilities } | null = null
  const stores = ({ dataDirectory, vault }: ExtensionPlace) => {
    saved ??= {
      signIns: createPluginSignIns(vault, deps.clock),
      // Of the plugins on this machine, so they are no secret that others share.
      abilities: createPluginAbilities(createSecretFile({ dataDirectory })),
    }
    return saved
  }
  const programs = createAccountPrograms(deps, (plugin, place) => {
    const { signIns, abilities } = stores(place)
    return async (request) => {
      const entry = (await peek())?.plugins.find(({ name }) => name === plugin)?.entry
      const ability = entry && (await abilities.of(entry))
      const providers = [ability?.auth?.provider ?? [], ability?.names ?? []].flat()
      return createAccountDoor(signIns, { plugin, providers })(request)
    }
  })
  /** Plugins that could not be loaded, by name and version: their process tells of it where they are used. */
  const failed = new Set<string>()
  const learnAll = async (place: ExtensionPlace, entries: readonly PluginEntry[]) => {
    const found = (await programs.look(entries, place)) ?? new Map()
    await stores(place).abilities.keep(found)
    for (const entry of entries) if (!found.has(entry)) failed.add(keyOf(entry))
  }
  const look = async ({ learns }: { learns: boolean }): Promise<AtHome | null> => {
    const place = await placeOfHome()
    if (place.isShared) return null
    const { signIns, abilities } = stores(place)
    const entries = (await pluginEntries(deps, place)).filter(({ isOwn, at }) => isOwn && at !== null)
    const known = await Promise.all(entries.map((entry) => abilities.of(entry)))
    const news = entries.filter((entry, at) => known[at] === undefined && !failed.has(keyOf(entry)))
    if (learns && news.length > 0) await learnAll(place, news)
    const plugins = await Promise.all(
      entries.map(async (entry): Promise<AccountPlugin[]> => {
        const ability = await abilities.of(entry)
        const counts = ability !== undefined && (ability.auth !== null || ability.names !== null)
        return counts ? [{ name: entry.ref.name, entry, ability }] : []
      }),
    )
    return { place, plugins: plugins.flat(), signIns }
  }
  const find = () => {
    if (kept === null || deps.now() - kept.at >= freshMs) kept = { at: deps.now(), found: look({ learns: true }) }
    kept.found.catch(() => {
      kept = null
    })
    return kept.found
  }
  const peek = () => look({ learns: false })
  return {
    find,
    peek,
    async learn(found) {
      const place = await placeOfHome()
      if (!place.isShared) await stores(place).abilities.keep(found)
    },
    programs,
    forget() {
      kept = null
    },
  }
}

function keyOf({ ref, at, options, version }: PluginEntry): string {
  return JSON.stringify([ref.name, at, options, version])
}
