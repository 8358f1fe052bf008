import { DocketError } from "../../ground/error/docket-error.ts"
import type { ModelRef, ProviderInfo } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import { callShaping } from "./call-shaping.ts"
import { type LocalServer, probeLocalServer } from "./local-servers.ts"
import { findModel } from "./model-choice.ts"
import type { FoundModel } from "./remote-providers.ts"

export interface LocalProviders {
  ids: string[]
  /** Waits for the last look to end (at most its timeout). Servers that config sets itself are left out. */
  list(config: Config): Promise<ProviderInfo[]>
  /** Null when the provider is none of these. @throws model_not_found, no_model_available */
  find(ref: ModelRef, config: Config): Promise<FoundModel | null>
  refresh(): Promise<void>
}

/** Model servers on this machine. The first look starts at once, in the background. */
export function createLocalProviders(servers: readonly LocalServer[], probeMs?: number): LocalProviders {
  const look = () => Promise.all(servers.map((server) => probeLocalServer(server, probeMs)))
  let found = look()
  const provider = async (id: string) => (await found).find((item) => item.id === id)
  return {
    ids: servers.map(({ id }) => id),
    list: async (config) => (await found).filter(({ id }) => config.provider?.[id] === undefined),
    async find(ref, config) {
      const id = ref.providerID
      if (!servers.some((server) => server.id === id) || config.provider?.[id]) return null
      const known = await provider(id)
      // It, or the model, may be there since the last look.
      if (!known?.models.some((model) => model.id === ref.modelID)) found = look()
      const now = await provider(id)
      if (!now?.baseURL) return null
      if (!now.connected) {
        const absent = `${now.name} does not answer at ${now.baseURL}; start it and try again.`
        throw new DocketError("no_model_available", now.problem ?? absent)
      }
      const info = findModel(ref, now.name, now.models)
      const npm = "@ai-sdk/openai-compatible"
      const { baseURL } = now
      const shaping = callShaping(undefined, { id: info.id, served: info.id, npm, baseURL })
      const settings = {
        package: null,
        providerID: id,
        npm,
        modelID: info.id,
        baseURL,
        apiKey: null,
        headers: {},
        shaping,
      }
      return { info, settings, options: {}, variants: {} }
    },
    async refresh() {
      found = look()
      await found
    },
  }
}
