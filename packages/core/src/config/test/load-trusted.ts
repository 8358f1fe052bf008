import { type LoadConfigInput, type LoadedConfig, loadConfig } from "../load-config.ts"

/** What counts when the user trusts the project's configuration as it is now. */
export async function loadTrusted(input: Omit<LoadConfigInput, "trustedIn">): Promise<LoadedConfig> {
  const { trust } = await loadConfig({ ...input, trustedIn: async () => [] })
  return loadConfig({ ...input, trustedIn: async () => (trust.hash === null ? [] : [{ hash: trust.hash }]) })
}
