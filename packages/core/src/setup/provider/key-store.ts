import type { Vault } from "../../ground/secret/vault.ts"
import { type KeyTarget, nameOfKey, SavedKey } from "./saved-key.ts"

/** Keys that the user saved in Settings. */
export interface KeyStore {
  /**
   * The provider's key for the recipient, or else one of its others. @throws config_invalid when the keys cannot be
   * read
   */
  get(providerID: string, target: KeyTarget): Promise<SavedKey | null>
  /** All keys. @throws as `get` */
  all(): Promise<{ providerID: string; key: string }[]>
  /** Replaces the provider's key for the same recipient. */
  save(providerID: string, key: SavedKey): Promise<void>
  remove(providerID: string, target: KeyTarget): Promise<void>
}

export function createKeyStore(vault: Vault): KeyStore {
  const load = async () => {
    const found: [string, SavedKey][] = []
    for (const [name, value] of await vault.all("provider-key")) {
      const key = SavedKey.safeParse(value).data
      // What this version cannot read is saved again.
      if (key !== undefined) found.push([name, key])
    }
    return new Map(found)
  }
  return {
    async get(providerID, target) {
      const all = await load()
      const own = all.get(nameOfKey(providerID, target))
      if (own !== undefined) return own
      return [...all].find(([name, key]) => name === nameOfKey(providerID, key))?.[1] ?? null
    },
    // A name starts with the provider's id.
    all: async () => [...(await load())].map(([name, { key }]) => ({ providerID: name.split(" ")[0] ?? name, key })),
    async save(providerID, key) {
      await vault.change("provider-key", nameOfKey(providerID, key), () => key)
    },
    async remove(providerID, target) {
      await vault.change("provider-key", nameOfKey(providerID, target), () => null)
    },
  }
}
