import { noPluggedProviders, type PluggedProviders } from "@docket/core/plugged-providers"

/** ms for which a new plugin may stay unseen. */
const freshMs = 1_000

interface LightProvidersDeps {
  now(): number
  /** Whether the user has plugins. */
  has(): Promise<boolean>
  load(): Promise<PluggedProviders>
}

/** Asks for what plugins do for providers only where the user has plugins: only then its code is loaded. */
export function lightProviders({ now, has, load }: LightProvidersDeps): PluggedProviders {
  let found: { at: number; has: Promise<boolean> } | null = null
  const providers = async () => {
    // Asked for with each step of a turn.
    if (found === null || now() - found.at >= freshMs) found = { at: now(), has: has() }
    return (await found.has) ? load() : noPluggedProviders
  }
  return {
    list: async () => (await providers()).list(),
    models: async (id, facts) => (await providers()).models(id, facts),
    options: async (account, facts) => (await load()).options(account, facts),
    send: async (...given) => (await load()).send(...given),
    secrets: async () => (await providers()).secrets(),
  }
}
