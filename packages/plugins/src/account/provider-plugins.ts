import { DocketError } from "@docket/core/error"
import { keyTarget } from "@docket/core/key-target"
import {
  type PluggedOptions,
  type PluggedProvider,
  type PluggedProviders,
  type ProviderAccount,
  type ProviderFacts,
  signInAdvice,
} from "@docket/core/plugged-providers"
import type { ModelInfo } from "@docket/core/schema"
import { z } from "zod"
import type { LoadedPlugin } from "../child-messages.ts"
import { mergeModels } from "../opencode/merge-models.ts"
import { toOpencodeModels } from "../opencode/to-opencode.ts"
import { PluginTimeout, ProcessEnded } from "../plugin-process.ts"
import type { AccountProgram } from "./account-programs.ts"
import type { AccountTimes } from "./account-times.ts"
import { AnswerTooLong, answerOf } from "./answer-of.ts"
import type { AccountPlugin, AtHome, PluginsAtHome } from "./at-home.ts"
import { secretsOf, withoutSecrets } from "./secrets-of.ts"
import type { SavedSignIn } from "./sign-in-store.ts"

/** ms for which the models that a plugin named count. */
const modelsMs = 10 * 60_000
/** ms after which those are asked for again that could not be had. */
const againMs = 60_000
/** ms before its end in which a sign-in is renewed by one request, for which the others wait. */
const renewalMs = 60_000

interface ProviderPluginsDeps {
  home: PluginsAtHome
  clock(): number
  now(): number
  times: Pick<AccountTimes, "ask" | "answer">
}

export interface ProviderPlugins extends PluggedProviders {
  /** What is wrong with the models that a plugin names; null for nothing. */
  problem(plugin: string): string | null
  /** The models that it names are asked for again. */
  forget(plugin: string): void
}

const Options = z.object({
  options: z.looseObject({
    apiKey: z.string().max(100_000).nullish(),
    baseURL: z.url({ protocol: /^https?$/ }).nullish(),
    headers: z.record(z.string(), z.string()).nullish(),
  }),
  hasFetch: z.boolean(),
  provider: z.looseObject({
    models: z.record(
      z.string(),
      z.looseObject({ cost: z.looseObject({ input: z.number(), output: z.number() }).optional() }),
    ),
  }),
})

interface Opened extends AccountPlugin {
  home: AtHome
  saved: SavedSignIn
}

/** Providers as the user's plugins sign in to them and name their models. */
export function createProviderPlugins({ home, clock, now, times }: ProviderPluginsDeps): ProviderPlugins {
  const named = new Map<string, { plugin: string; until: number; models: Promise<unknown> }>()
  const problems = new Map<string, string>()
  /** What was made of a sign-in, by the process that made it: another one has made nothing of it yet. */
  const made = new WeakMap<LoadedPlugin, { since: number; options: Promise<PluggedOptions> }>()
  const factsOf = new Map<string, ProviderFacts>()

  const open = async (account: ProviderAccount): Promise<Opened> => {
    const found = await home.find()
    const plugin = found?.plugins.find(({ name }) => name === account.plugin)
    const saved = await found?.signIns.get(account)
    if (found && plugin?.ability.auth?.provider === account.providerID && saved?.since === account.since)
      return { ...plugin, home: found, saved }
    throw unusable(`You are signed out of ${account.providerID}.`, account)
  }
  const optionsIn = async (program: AccountProgram, saved: SavedSignIn, facts: ProviderFacts) => {
    const loaded = await program.loaded()
    const known = made.get(loaded)
    if (known?.since === saved.since) return known.options
    const asked = { kind: "auth-options", provider: providerOf(saved.providerID, facts) } as const
    const options = program.call(asked, { timeoutMs: times.ask }).then((given) => optionsOf(given, saved, facts))
    made.set(loaded, { since: saved.since, options })
    options.catch(() => made.delete(loaded))
    return options
  }
  const request = async (account: ProviderAccount, sent: Request, signal: AbortSignal | null): Promise<Response> => {
    const opened = await open(account)
    const { name, entry } = opened
    const init = { method: sent.method, headers: Object.fromEntries(sent.headers), body: await bodyOf(sent) }
    const began = now()
    let isNoted = false
    const note = (failure: string | null) => {
      if (!isNoted) opened.home.place.ledger.note(entry.ref, { ms: now() - began, failure })
      isNoted = true
    }
    return answerOf(
      (how) =>
        home.programs
          .use(entry, opened.home.place, async (program) => {
            await optionsIn(
              program,
              opened.saved,
              factsOf.get(keyOf(account)) ?? { name: account.providerID, models: [] },
            )
            const asked = { kind: "fetch", url: sent.url, init } as const
            return program.call(asked, { timeoutMs: times.answer, ...how })
          })
          .then(
            () => note(null),
            (error: unknown) => {
              const { aborted, reason } = how.signal
              if (aborted) note(reason instanceof AnswerTooLong ? reason.message : null)
              if (aborted) throw error
              const told = explained(error, { ...account, plugin: name }, opened.saved)
              note(told.message)
              throw told
            },
          ),
      signal,
    ).then(async (answer) => {
      const refusal = refusalOf(answer, account)
      if (refusal === null) return answer
      note(refusal.message)
      await answer.body?.cancel()
      throw refusal
    })
  }
  return {
    async list() {
      const found = await home.find()
      if (found === null) return []
      const all = await Promise.all(found.plugins.map((plugin) => providersOf(found, plugin)))
      const byID = new Map<string, PluggedProvider>()
      for (const one of all.flat()) {
        const before = byID.get(one.id)
        // Where several plugins sign in to one provider, that counts which somebody signed in with.
        if (before === undefined || (before.account === null && one.signsIn !== null) || one.account !== null)
          byID.set(one.id, one)
      }
      return [...byID.values()]
    },
    async models(id, facts) {
      const found = await home.find()
      let models: readonly ModelInfo[] = facts.models
      for (const plugin of found?.plugins ?? []) {
        if (found === null || plugin.ability.names !== id) continue
        const { name, entry, ability } = plugin
        const saved = await found.signIns.get({ plugin: name, providerID: id })
        const key = JSON.stringify([name, ability.version, saved?.since])
        let known = named.get(key)
        if (known === undefined || known.until <= now()) {
          const asked = { kind: "models", provider: providerOf(id, { ...facts, models }) } as const
          const given = home.programs.use(entry, found.place, (program) =>
            program.call(asked, { timeoutMs: times.ask }),
          )
          const mine = { plugin: name, until: now() + modelsMs, models: given }
          known = mine
          named.set(key, mine)
          given.catch(() => {
            mine.until = now() + againMs
          })
        }
        try {
          const merged = mergeModels(id, models, await known.models)
          models = merged.models
          if (merged.problem === null) problems.delete(name)
          else problems.set(name, merged.problem)
        } catch (error) {
          problems.set(name, `It could not name the models of ${id}: ${textOf(error, saved)}`)
        }
      }
      return models
    },
    async options(account, facts) {
      const opened = await open(account)
      factsOf.set(keyOf(account), facts)
      try {
        return await home.programs.use(opened.entry, opened.home.place, (program) =>
          optionsIn(program, opened.saved, facts),
        )
      } catch (error) {
        const told = explained(error, account, opened.saved)
        throw told instanceof DocketError ? told : new DocketError("no_model_available", told.message, { cause: error })
      }
    },
    async send(account, input, init) {
      const sent = new Request(input, { ...init, signal: null })
      const signal = init?.signal ?? null
      const { saved, home: at } = await open(account)
      const isOld = saved.auth.type === "oauth" && saved.auth.expires < clock() + renewalMs
      // Two requests that renew a sign-in at once would each make that of the other one worthless.
      return isOld ? at.signIns.alone(account, () => request(account, sent, signal)) : request(account, sent, signal)
    },
    async secrets() {
      const found = await home.find()
      const all = await Promise.all(
        (found?.plugins ?? []).map(async ({ name, ability: { auth } }) => {
          if (auth === null) return []
          const saved = await found?.signIns.get({ plugin: name, providerID: auth.provider })
          return saved ? secretsOf(saved).map((key) => ({ providerID: auth.provider, key })) : []
        }),
      )
      return all.flat()
    },
    problem: (plugin) => problems.get(plugin) ?? null,
    forget(plugin) {
      problems.delete(plugin)
      for (const [key, { plugin: of }] of named) if (of === plugin) named.delete(key)
    },
  }
}

async function providersOf({ place, signIns }: AtHome, { name, ability }: AccountPlugin): Promise<PluggedProvider[]> {
  const { auth, names } = ability
  const target = (id: string) => keyTarget(id, place.config)
  const named = names === null || names === auth?.provider ? [] : [names]
  const only = named.map((id) => ({ id, signsIn: null, account: null, target: target(id) }))
  if (auth === null) return only
  const id = auth.provider
  const saved = await signIns.get({ plugin: name, providerID: id })
  const account = saved && { plugin: name, providerID: id, since: saved.since }
  return [...only, { id, signsIn: name, account, target: target(id) }]
}

/** A provider in the form of OpenCode's plugins. */
function providerOf(id: string, { name, models }: ProviderFacts): Record<string, unknown> {
  return { id, name, source: "custom", env: [], options: {}, models: toOpencodeModels(models) }
}

function optionsOf(
  given: unknown,
  { auth, plugin, providerID }: SavedSignIn,
  { models }: ProviderFacts,
): PluggedOptions {
  const read = Options.safeParse(given)
  if (!read.success) throw new PluginTimeout("What its loader made is not of the right form.")
  const { options, hasFetch, provider } = read.data
  const { apiKey, baseURL, headers, ...others } = options
  const key = apiKey ?? (auth.type === "api" ? auth.key : null)
  if (key === null && !hasFetch && Object.keys(headers ?? {}).length === 0)
    throw unusable(`The plugin ${plugin} could make nothing of its sign-in to ${providerID}.`, { plugin, providerID })
  const free = models.filter(({ id, cost }) => {
    const now = provider.models[id]?.cost
    const isFree = now?.input === 0 && now.output === 0
    return isFree && cost !== null && (cost.input > 0 || cost.output > 0)
  })
  return {
    apiKey: key,
    baseURL: baseURL ?? null,
    headers: headers ?? {},
    options: others,
    hasFetch,
    free: free.map(({ id }) => id),
  }
}

async function bodyOf(request: Request): Promise<string | null> {
  const bytes = Buffer.from(await request.arrayBuffer())
  return bytes.length === 0 ? null : bytes.toString("utf8")
}

/** An answer that a person has to do something about; null for any other. */
function refusalOf({ status }: Response, account: ProviderAccount): DocketError | null {
  const { plugin, providerID } = account
  if (status === 401) return unusable(`${providerID} refused the sign-in of the plugin ${plugin}.`, account)
  if (status < 300 || status >= 400) return null
  const message = `The plugin ${plugin} answered with a redirect, which is not followed. See its log in Settings, Extensions.`
  return new DocketError("no_model_available", message)
}

/** What went wrong in words for people, and without what lets somebody in. */
function explained(
  error: unknown,
  { plugin, providerID }: Pick<ProviderAccount, "plugin" | "providerID">,
  saved: SavedSignIn,
) {
  if (error instanceof DocketError) return error
  const text = textOf(error, saved)
  if (error instanceof PluginTimeout || error instanceof ProcessEnded) {
    // In these words it is tried again, which starts the process anew.
    return new Error(`The plugin ${plugin} is unavailable. ${text} See its log in Settings, Extensions.`)
  }
  if (/fetch failed|terminated|socket|network|ECONN|ENOTFOUND|timed? ?out/i.test(text))
    return new Error(`fetch failed in the plugin ${plugin}: ${text}`)
  return unusable(`The plugin ${plugin} could not call ${providerID}: ${text}`, { plugin, providerID })
}

function unusable(what: string, { plugin }: Pick<ProviderAccount, "plugin" | "providerID">): DocketError {
  return new DocketError("no_model_available", `${what} ${signInAdvice(plugin)}`)
}

/** The message of an error, without what lets somebody in. */
function textOf(error: unknown, saved: SavedSignIn | null): string {
  const text = error instanceof Error ? error.message : String(error)
  return withoutSecrets(text.slice(0, 1_000), saved)
}

function keyOf({ plugin, providerID, since }: ProviderAccount): string {
  return JSON.stringify([plugin, providerID, since])
}
