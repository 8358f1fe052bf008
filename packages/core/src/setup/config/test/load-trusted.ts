import { builtinAgentNames } from "../../../ground/schema/agent.ts"
import { builtinAgents } from "../../agent/builtin-agents.ts"
import { findAgent, resolveAgents } from "../../agent/resolve-agents.ts"
import { effectiveConfig } from "../effective-config.ts"
import { loadConfig } from "../load-config.ts"
import type { LoadConfigInput, LoadedConfig } from "../loaded-config.ts"

// For tests of other packages that hand their part to the loader.
export { builtinAgentNames, builtinAgents, effectiveConfig, findAgent, resolveAgents }

/** Loads the configuration as if the user trusted the project's current content. */
export async function loadTrusted(input: Omit<LoadConfigInput, "trustedIn">): Promise<LoadedConfig> {
  const { trust } = await loadConfig({ ...input, trustedIn: async () => [] })
  return loadConfig({ ...input, trustedIn: async () => (trust.hash === null ? [] : [{ hash: trust.hash }]) })
}
