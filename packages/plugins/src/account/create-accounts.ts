import type { ExtensionPlace } from "@docket/core/extension-host"
import type { ExtensionItem } from "@docket/core/schema"
import type { LoadedPlugin } from "../child-messages.ts"
import type { PluginEntry } from "../plugin-entries.ts"
import type { ProcessTimes } from "../plugin-process.ts"
import type { AccountTimes } from "./account-times.ts"
import { type AtHomeDeps, createPluginsAtHome } from "./at-home.ts"
import { createPluginSignIn, type PluginSignIn } from "./plugin-sign-in.ts"
import { createProviderPlugins, type ProviderPlugins } from "./provider-plugins.ts"
import { withoutSecrets } from "./secrets-of.ts"

interface AccountsDeps extends AtHomeDeps {
  times: ProcessTimes & AccountTimes
  /** The user's home, where these plugins work. */
  place(): Promise<ExtensionPlace>
}

/** What the user's own plugins do for providers: they sign in, name models, and send requests. */
export interface Accounts {
  providers: ProviderPlugins
  signIn: PluginSignIn
  /** What people see of a plugin besides. */
  shown(entry: PluginEntry): Promise<Pick<ExtensionItem, "signIn" | "log"> & { problem: string | null }>
  /** What plugins do for providers is known, as they were loaded. */
  learn(found: ReadonlyMap<PluginEntry, LoadedPlugin>): Promise<void>
  /** Finds out what new plugins do for providers. */
  look(): Promise<void>
  restart(plugin: string): Promise<void>
  close(): Promise<void>
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { clock, now, times } = deps
  const home = createPluginsAtHome(deps, deps.place)
  const providers = createProviderPlugins({ home, clock, now, times })
  const signIn = createPluginSignIn({ home, clock, times })
  return {
    providers,
    signIn,
    async shown(entry) {
      const state = await signIn.of(entry)
      const found = await home.find()
      const { name } = entry.ref
      const saved = state && (await found?.signIns.get({ plugin: name, providerID: state.provider }))
      const log = entry.isOwn ? home.programs.log(name).map((line) => withoutSecrets(line, saved ?? null)) : []
      return { ...(state && { signIn: state }), log, problem: entry.isOwn ? providers.problem(name) : null }
    },
    learn: home.learn,
    async look() {
      home.forget()
      await home.find()
    },
    async restart(plugin) {
      home.forget()
      providers.forget(plugin)
      await home.programs.end(plugin)
    },
    close: () => home.programs.close(),
  }
}
