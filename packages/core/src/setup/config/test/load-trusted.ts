import { loadConfig } from "../load-config.ts"
import type { LoadConfigInput, LoadedConfig } from "../loaded-config.ts"

/** What counts when the user trusts the project's configuration as it is now. */
export async function loadTrusted(input: Omit<LoadConfigInput, "trustedIn">): Promise<LoadedConfig> {
  const { trust } = await loadConfig({ ...input, trustedIn: async () => [] })
  return loadConfig({ ...input, trustedIn: async () => (trust.hash === null ? [] : [{ hash: trust.hash }]) })
}
