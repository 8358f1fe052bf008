import type { ExtensionSignIn, SigningIn } from "@docket/core/extension-host"
import type { ExtensionItem, SignInChoice, SignInWay } from "@docket/core/schema"
import { z } from "zod"
import type { Asked } from "../child/protocol.ts"
import type { AuthMethod } from "../child-messages.ts"
import type { PluginEntry } from "../plugin-entries.ts"
import type { AccountTimes } from "./account-times.ts"
import type { AccountPlugin, AtHome, PluginsAtHome } from "./at-home.ts"
import { withoutSecrets } from "./secrets-of.ts"
import { SavedAuth } from "./sign-in-store.ts"

interface PluginSignInDeps {
  home: PluginsAtHome
  clock(): number
  times: Pick<AccountTimes, "ask" | "person">
}

/** A sign-in that a person was asked to finish. */
interface Pending {
  flow: number
  takesCode: boolean
  /** Epoch ms. */
  expiresAt: number
  stop: AbortController
}

const Begun = z.object({
  flow: z.int(),
  url: z.url({ protocol: /^https?$/, error: "its address is no web address" }).max(20_000),
  instructions: z.string().max(2_000).nullish(),
  method: z.enum(["auto", "code"]),
})

const Outcome = z.union([
  z.object({ type: z.literal("failed"), error: z.string().max(1_000).nullish() }),
  z.looseObject({ type: z.literal("success"), provider: z.string().nullish() }),
])

export interface PluginSignIn extends ExtensionSignIn {
  /** How a plugin signs in, and whether somebody is signed in; undefined for one that signs in to nothing. */
  of(entry: PluginEntry): Promise<ExtensionItem["signIn"]>
}

/** Lets the user sign in to providers with the plugins of their own configuration. */
export function createPluginSignIn({ home, clock, times }: PluginSignInDeps): PluginSignIn {
  const pending = new Map<string, Pending>()
  const failures = new Map<string, string>()
  const drop = async (plugin: string) => {
    const before = pending.get(plugin)
    pending.delete(plugin)
    failures.delete(plugin)
    if (before === undefined) return
    before.stop.abort()
    // What it listens with would be in the way of the next one.
    await home.programs.end(plugin)
  }
  const ask = async (at: Signing, asked: Asked, { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal }) => {
    const { plugin, found } = at
    try {
      return await home.programs.use(plugin.entry, found.place, (program) => program.call(asked, { timeoutMs, signal }))
    } catch (error) {
      throw new Error(await told(found, plugin, error instanceof Error ? error.message : String(error)))
    }
  }
  const keep = async ({ found, plugin, auth: { provider } }: Signing, given: unknown) => {
    const outcome = Outcome.safeParse(given)
    if (!outcome.success) throw new Error("The plugin said nothing of use about the sign-in.")
    if (outcome.data.type === "failed")
      throw new Error(outcome.data.error ?? `${provider} did not accept it. Begin again.`)
    const { provider: other, ...rest } = outcome.data
    if (other && other !== provider)
      throw new Error(`The plugin signs in to ${provider}, and may not sign in to "${other}".`)
    const auth = SavedAuth.safeParse({ ...rest, type: "key" in rest ? "api" : "oauth" }).data
    if (auth === undefined) throw new Error("The plugin gave a sign-in that is not of the right form.")
    await found.signIns.begin({ plugin: plugin.name, providerID: provider }, auth)
    home.forget()
  }
  /** Waits for the plugin to say that it is done, where no person has to give anything back. */
  const wait = async (at: Signing, one: Pending) => {
    const { name } = at.plugin
    const asked = { kind: "authorized", flow: one.flow, code: null } as const
    try {
      const given = await ask(at, asked, { timeoutMs: times.person, signal: one.stop.signal })
      if (pending.get(name) === one) await keep(at, given)
    } catch (error) {
      if (pending.get(name) === one) failures.set(name, error instanceof Error ? error.message : String(error))
    }
    if (pending.get(name) === one) pending.delete(name)
  }
  return {
    async begin(who, _, choice = { way: 0, inputs: {} }) {
      const at = await signingOf(home, who)
      const { way, inputs } = wayOf(at.auth.methods, choice)
      await drop(at.plugin.name)
      if (way.type === "api" && !way.authorizes) {
        const key = inputs.key?.trim()
        if (!key || /\s/.test(key)) throw new Error("A key is one word without spaces.")
        await keep(at, { type: "success", key })
        return null
      }
      const asked = { kind: "authorize", method: at.auth.methods.indexOf(way), inputs } as const
      const given = await ask(at, asked, { timeoutMs: times.ask })
      if (way.type === "api") {
        await keep(at, given)
        return null
      }
      const begun = Begun.safeParse(given)
      if (!begun.success) throw new Error(`The plugin began no sign-in: ${z.prettifyError(begun.error)}`)
      const { flow, url, instructions, method } = begun.data
      const one: Pending = {
        ...{ flow, takesCode: method === "code", expiresAt: clock() + times.person },
        stop: new AbortController(),
      }
      pending.set(at.plugin.name, one)
      if (!one.takesCode) void wait(at, one)
      return {
        ...{ address: url, code: null, isRedirected: false, givesCode: one.takesCode, expiresAt: one.expiresAt },
        ...(instructions && { note: instructions }),
      }
    },
    async finish(who, given) {
      const at = await signingOf(home, who)
      const one = pending.get(at.plugin.name)
      if (one === undefined || one.expiresAt < clock()) throw new Error("This sign-in is over. Begin it again.")
      if (!one.takesCode) throw new Error("Nothing has to be given back: the plugin hears of the sign-in by itself.")
      // A code counts once.
      pending.delete(at.plugin.name)
      const asked = { kind: "authorized", flow: one.flow, code: given.trim() } as const
      await keep(at, await ask(at, asked, { timeoutMs: times.ask }))
    },
    async signOut(who) {
      const { found, plugin, auth } = await signingOf(home, who)
      await drop(plugin.name)
      await found.signIns.remove({ plugin: plugin.name, providerID: auth.provider })
      await home.programs.end(plugin.name)
      home.forget()
    },
    async of(entry) {
      const found = entry.isOwn ? await home.find() : null
      const plugin = found?.plugins.find(({ name }) => name === entry.ref.name)
      const auth = plugin?.ability.auth
      if (!found || !plugin || !auth) return undefined
      const saved = await found.signIns.get({ plugin: plugin.name, providerID: auth.provider })
      const one = pending.get(plugin.name)
      // Where no code is given, the end is noted when the plugin's time is over: until then it has no outcome.
      const waits = one !== undefined && (!one.takesCode || one.expiresAt > clock())
      return {
        ...{ provider: auth.provider, ways: auth.methods.map(shownWay) },
        state: waits ? "pending" : saved === null ? "out" : "in",
        failure: failures.get(plugin.name) ?? null,
      }
    },
  }
}

interface Signing {
  found: AtHome
  plugin: AccountPlugin
  auth: NonNullable<AccountPlugin["ability"]["auth"]>
}

/** @throws Error where the plugin signs in to nothing */
async function signingOf(home: PluginsAtHome, { place, name }: SigningIn): Promise<Signing> {
  if (place.isShared)
    throw new Error("Several people share this service, so that plugins reach no network here: use keys instead.")
  home.forget()
  const found = await home.find()
  const plugin = found?.plugins.find((one) => one.name === name)
  const auth = plugin?.ability.auth
  if (found && plugin && auth) return { found, plugin, auth }
  const known = found?.plugins.flatMap((one) => (one.ability.auth === null ? [] : [one.name])) ?? []
  const others = known.length === 0 ? "None of them signs in to a provider." : `These do: ${known.join(", ")}.`
  throw new Error(`"${name}" is no plugin of your own configuration that signs in to a provider. ${others}`)
}

/** @throws Error for what the way does not take */
function wayOf(
  methods: readonly AuthMethod[],
  choice: SignInChoice,
): { way: AuthMethod; inputs: Record<string, string> } {
  const way = methods[choice.way]
  if (way === undefined) throw new Error(`The plugin has ${methods.length} ways to sign in; there is no other one.`)
  const inputs: Record<string, string> = {}
  for (const prompt of shownWay(way).prompts) {
    const { key, when, options, type, message } = prompt
    if (when !== null && (inputs[when.key] === when.value) !== (when.op === "eq")) continue
    const value = choice.inputs[key] ?? ""
    if (value === "" && type !== "text") throw new Error(`Say what it asks for: ${message}`)
    if (type === "select" && !options.some((one) => one.value === value))
      throw new Error(`"${value}" is not one of ${options.map((one) => one.value).join(", ")}.`)
    inputs[key] = value
  }
  return { way, inputs }
}

/** A way as people see it. One that only takes a key asks for it. */
function shownWay({ type, label, prompts, authorizes }: AuthMethod): SignInWay {
  const asked = prompts.map(({ placeholder, options, when, ...prompt }) => ({
    ...prompt,
    placeholder: placeholder ?? null,
    options: (options ?? []).map(({ hint, ...option }) => ({ ...option, hint: hint ?? null })),
    when: when ?? null,
  }))
  if (type !== "api" || authorizes) return { label, prompts: asked }
  const key = { type: "secret" as const, key: "key", message: "Key", placeholder: null, options: [], when: null }
  return { label, prompts: [...asked, key] }
}

/** What a plugin said, without what lets somebody in. */
async function told({ signIns }: AtHome, { name, ability }: AccountPlugin, text: string): Promise<string> {
  const providerID = ability.auth?.provider ?? ""
  const saved = await signIns.get({ plugin: name, providerID }).catch(() => null)
  return withoutSecrets(text.slice(0, 1_000), saved)
}
