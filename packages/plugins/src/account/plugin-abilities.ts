import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import type { SecretFile } from "@docket/core/secret-file"
import { z } from "zod"
import { AuthMethod, type LoadedPlugin } from "../child-messages.ts"
import type { PluginEntry } from "../plugin-entries.ts"

/** What a plugin can do for providers. */
const Ability = z.object({
  /** A digest of its code and options. */
  version: z.string(),
  auth: z.object({ provider: z.string(), methods: z.array(AuthMethod) }).nullable(),
  /** The provider whose models it names. */
  names: z.string().nullable(),
})
export type Ability = z.infer<typeof Ability>

const Stored = z.record(z.string(), Ability)
const place = "abilities of plugins"
/** Ids of providers as they stand in a configuration. */
const providerPattern = /^[\w.-]{1,100}$/

/**
 * What plugins can do for providers, as far as they were loaded once: whether one signs in to a provider, only its code
 * knows. It is kept, so that a list of models starts no program.
 */
export interface PluginAbilities {
  /** Undefined while it is not known of this version. */
  of(entry: PluginEntry): Promise<Ability | undefined>
  keep(found: ReadonlyMap<PluginEntry, LoadedPlugin>): Promise<void>
}

export function createPluginAbilities(secrets: Pick<SecretFile, "get" | "set">): PluginAbilities {
  let writing: Promise<unknown> = Promise.resolve()
  const all = async () => Stored.safeParse(await secrets.get(place)).data ?? {}
  return {
    async of(entry) {
      const known = (await all())[entry.ref.name]
      return known?.version === versionOf(entry) ? known : undefined
    },
    keep(found) {
      const next = writing.then(async () => {
        const before = await all()
        const now = [...found].map(([entry, loaded]) => [entry.ref.name, abilityOf(entry, loaded)] as const)
        const kept = { ...before, ...Object.fromEntries(now) }
        if (!isDeepStrictEqual(kept, before)) await secrets.set(place, kept)
      })
      writing = next.catch(() => {})
      return next
    },
  }
}

function abilityOf(entry: PluginEntry, { auth, provider }: LoadedPlugin): Ability {
  const isProvider = (id: string | undefined) => id !== undefined && providerPattern.test(id)
  return {
    version: versionOf(entry),
    auth: auth !== null && isProvider(auth.provider) ? { provider: auth.provider, methods: auth.methods } : null,
    names: provider !== null && isProvider(provider.id) ? provider.id : null,
  }
}

function versionOf({ at, options, version }: PluginEntry): string {
  return createHash("sha256")
    .update(JSON.stringify([at, options, version]))
    .digest("hex")
}
