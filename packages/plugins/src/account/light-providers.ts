import { noPluggedProviders, type PluggedProviders } from "@docket/core/plugged-providers"

/** Asks for what plugins do for providers only where the user has plugins: only then its code is loaded. */
export function lightProviders(has: () => Promise<boolean>, load: () => Promise<PluggedProviders>): PluggedProviders {
  const providers = async () => ((await has()) ? load() : noPluggedProviders)
  return {
    list: async () => (await providers()).list(),
    models: async (id, facts) => (await providers()).models(id, facts),
    options: async (account, facts) => (await load()).options(account, facts),
    send: async (...given) => (await load()).send(...given),
    secrets: async () => (await providers()).secrets(),
  }
}
