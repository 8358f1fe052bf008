import type { ModelInfo, ProviderInfo } from "../../ground/schema/index.ts"

/** The model that is always available; it uses no language model. */
export const rehearsalInfo: ModelInfo = {
  id: "rehearsal",
  providerID: "docket",
  name: "Rehearsal (no language model)",
  limit: { context: 0, output: 0 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  reasoning: false,
  toolCall: true,
  variants: [],
  rehearsal: true,
}

export const rehearsalProvider: ProviderInfo = {
  id: "docket",
  name: "Docket",
  source: "builtin",
  env: [],
  connected: true,
  baseURL: null,
  models: [rehearsalInfo],
  problem: null,
}
