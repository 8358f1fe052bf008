import type { ExtensionHost, ExtensionPlace } from "@docket/core/extension-host"
import type { FoundPackages } from "@docket/core/installed-packages"
import { lazily } from "@docket/core/lazily"
import type { PluggedProviders } from "@docket/core/plugged-providers"
import type { ProgramRoom } from "@docket/core/program-room"
import type { ExtensionItem, Project, Session } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import type { AccountTimes } from "./account/account-times.ts"
import type { Accounts } from "./account/create-accounts.ts"
import { lightProviders } from "./account/light-providers.ts"
import type { AskDocket } from "./ask-docket.ts"
import type { LoadedPlugin } from "./child-messages.ts"
import { lightPlug } from "./light-plug.ts"
import { type Additions, digestOfEntries } from "./plugin-additions.ts"
import { mayOf, type PluginEntry, pluginEntries } from "./plugin-entries.ts"
import type { PluginPlugDeps } from "./plugin-plug.ts"
import type { ProcessTimes } from "./plugin-process.ts"
import type { PluginSet } from "./plugin-set.ts"
import { assertRequired, requiredIn } from "./required-plugins.ts"
import type { RunningPlugins } from "./running-plugins.ts"

export type { AskDocket } from "./ask-docket.ts"

export interface PluginsDeps extends Pick<PluginPlugDeps, "createID" | "clock" | "modelInfo"> {
  timers: Timers
  /** Monotonic ms. */
  now(): number
  packages: FoundPackages
  /** For the processes; shared by all workspaces of a service. */
  room: ProgramRoom
  /** Answers the client of plugins; without it, every call is an error that says so. */
  ask?: AskDocket
  /** What happens in the sessions of a place's project; without it, no plugin hears of that. */
  events?(place: ExtensionPlace, signal: AbortSignal): AsyncIterable<object>
  /** Where the service is reached, for plugins that name it. */
  serverUrl?(): string
  times?: Partial<ProcessTimes & AccountTimes>
}

export interface PluginHost extends ExtensionHost {
  /** Providers that the user's own plugins sign in to, and name models of. */
  providers: PluggedProviders
}

/** An address that leads nowhere, for plugins that want one: their requests to it are answered by `ask`. */
const noAddress = "http://docket.invalid"

type TurnPlace = Parameters<PluginPlugDeps["ofTurn"]>[0]

/**
 * Plugins in the form of OpenCode's: packages that are named in the configuration, and files. Their code is loaded when the
 * first of them is there, so that without any nothing is read or started.
 */
export function createPlugins(deps: PluginsDeps): PluginHost {
  const load = lazily(async () => {
    const [{ createPluginPlug }, running, { pluginTools }, process, docket] = await Promise.all([
      import("./plugin-plug.ts"),
      import("./running-plugins.ts"),
      import("./plugin-tools.ts"),
      import("./plugin-process.ts"),
      import("./ask-docket.ts"),
    ])
    const times = { ...process.usualTimes, ...deps.times }
    const plugins: RunningPlugins = running.createRunningPlugins({
      ...{ timers: deps.timers, now: deps.now, times, room: deps.room },
      ask: noting(deps.ask ?? docket.answersNothing),
      events: deps.events?.bind(deps),
      serverUrl: deps.serverUrl ?? (() => noAddress),
      onOwnLoaded: async (found) => {
        if (placeOfHome !== null && found.size > 0) await (await loadAccounts()).learn(found)
      },
    })
    return { createPluginPlug, pluginTools, times, plugins }
  })
  /** How many requests of plugins of a project are open. */
  const asking = new Map<string, number>()
  const noting =
    (ask: AskDocket): AskDocket =>
    async (request) => {
      const { id } = request.place.project
      asking.set(id, (asking.get(id) ?? 0) + 1)
      try {
        return await ask(request)
      } finally {
        const rest = (asking.get(id) ?? 1) - 1
        if (rest === 0) asking.delete(id)
        else asking.set(id, rest)
      }
    }
  let isLoaded = false
  const code = () => {
    isLoaded = true
    return load()
  }
  const setIn = async (place: ExtensionPlace): Promise<PluginSet | null> => {
    const entries = await pluginEntries(deps, place)
    if (!isLoaded && entries.every(({ at }) => at === null)) return null
    return (await code()).plugins.in(place, entries)
  }
  /** What plugins add: as it is known from before, or else by loading them once. Null for nothing. */
  const additionsIn = async (place: ExtensionPlace): Promise<Additions | null> => {
    const entries = await pluginEntries(deps, place)
    if (entries.every(({ at }) => at === null)) return null
    const known = async () => {
      const kept = await place.ledger.additions(place.project.id)
      return kept?.digest === digestOfEntries(entries) ? kept : null
    }
    const before = await known()
    // A plugin that asks while it is loaded would wait for itself.
    if (before !== null || asking.has(place.project.id)) return before
    await (await setIn(place))?.loaded()
    return known()
  }

  let placeOfHome: (() => Promise<ExtensionPlace>) | null = null
  /** Null before there is a runtime. */
  let accounts: Promise<Accounts> | null = null
  const loadAccounts = async (): Promise<Accounts> => {
    if (placeOfHome === null) throw new Error("The service is not ready yet.")
    const place = placeOfHome
    accounts ??= Promise.all([
      import("./account/create-accounts.ts"),
      import("./plugin-process.ts"),
      import("./account/account-times.ts"),
    ]).then(([{ createAccounts }, { usualTimes }, { usualAccountTimes }]) =>
      createAccounts({ ...deps, times: { ...usualTimes, ...usualAccountTimes, ...deps.times }, place }),
    )
    return accounts
  }
  const hasOwnPlugins = async () =>
    placeOfHome !== null && (await pluginEntries(deps, await placeOfHome())).some(({ at }) => at !== null)
  /** By what a turn knows of its project, which is the same object from its beginning to its end. */
  const ofTurns = new WeakMap<object, Promise<PluginSet | null>>()
  /** By session, while its turn runs. */
  const ofSessions = new Map<string, Promise<PluginSet | null>>()
  const remember = (turn: Pick<TurnPlace, "provided" | "session">, find: () => Promise<PluginSet | null>) => {
    const found = ofTurns.get(turn.provided) ?? find()
    ofTurns.set(turn.provided, found)
    ofSessions.set(turn.session.id, found)
    return found
  }
  return {
    kind: "plugin",
    providers: lightProviders({
      now: deps.now,
      has: hasOwnPlugins,
      load: async () => (await loadAccounts()).providers,
    }),
    signIn: {
      begin: async (...given) => (await loadAccounts()).signIn.begin(...given),
      finish: async (...given) => (await loadAccounts()).signIn.finish(...given),
      signOut: async (...given) => (await loadAccounts()).signIn.signOut(...given),
    },
    atHome(place) {
      placeOfHome = place
    },
    async tools(turn, place) {
      const set = await remember(turn, () => setIn(place))
      const required = requiredIn(place)
      if (required.length > 0) await assertRequired(required, { place, entries: await pluginEntries(deps, place), set })
      return set === null ? [] : (await code()).pluginTools(set, (await code()).times).then(({ tools }) => tools)
    },
    async commands(place) {
      const added = await additionsIn(place)
      return added === null ? [] : (await import("./plugin-commands.ts")).pluginCommands(place, added)
    },
    agents: additionsIn,
    plug(placeOf) {
      const ofProject = async (project: Project) => setIn(await placeOf(project))
      const find = {
        ofTurn: (turn: TurnPlace) => remember(turn, () => ofProject(turn.project)),
        ofSession: async (session: Session) => (await ofSessions.get(session.id)) ?? null,
        ofProject,
        ended: (sessionID: string) => void ofSessions.delete(sessionID),
      }
      return lightPlug(
        find,
        lazily(async () => (await code()).createPluginPlug({ ...deps, ...find })),
      )
    },
    async list(place) {
      const entries = await pluginEntries(deps, place)
      const set = isLoaded ? (await code()).plugins.present(place) : null
      const isAsked = accounts !== null || entries.some(({ isOwn, at }) => isOwn && at !== null)
      const known = isAsked && placeOfHome !== null ? await loadAccounts() : null
      return Promise.all(
        entries.map(async (entry) => itemOf(place, entry, { set, account: (await known?.shown(entry)) ?? null })),
      )
    },
    async restart(place, name) {
      await (await accounts)?.restart(name)
      if (isLoaded) await (await code()).plugins.forget(place)
    },
    async start(place) {
      await (await setIn(place))?.loaded()
      if (placeOfHome !== null) await (await loadAccounts()).look()
    },
    async close() {
      await (await accounts)?.close()
      if (isLoaded) await (await code()).plugins.close()
    },
  }
}

const ofConfig = "plugins add agents and commands, and all else stands in docket.json."

interface Known {
  set: PluginSet | null
  account: Awaited<ReturnType<Accounts["shown"]>> | null
}

async function itemOf(place: ExtensionPlace, entry: PluginEntry, { set, account }: Known): Promise<ExtensionItem> {
  const { ref, title, origin, isOwn, isOff, waits, isRefused } = entry
  const isFree = isOwn && !place.isShared
  const base = {
    ...{ ref, title, origin, may: await mayOf(entry, isFree, place), tools: [], log: account?.log ?? [] },
    ...(account?.signIn && { signIn: account.signIn }),
  }
  if (isOff) return { ...base, state: "off", error: null }
  if (waits !== null)
    return {
      ...base,
      state: isRefused ? "failed" : "waits",
      error: waits,
      ...(entry.installs && { installs: entry.installs }),
    }
  const present = set?.entries.find((one) => one.ref.name === ref.name && one.isOwn === isOwn)
  const named = account?.problem ?? null
  if (set === null || present === undefined) return { ...base, state: "idle", error: named }
  const group = set.groupOf(present)
  const state = group.state()
  const found = state === "ready" ? (await set.loaded()).find((one) => one.entry === present)?.loaded : undefined
  const broken = set.brokenHooks(present)
  const others = found?.changed.others ?? []
  const problems = [
    group.problem(present) ?? [],
    broken.length === 0 ? [] : `Off after failures: ${broken.join(", ")}.`,
    found?.refused ?? [],
    others.length === 0 ? [] : `It changes ${others.join(", ")} too, which does not count: ${ofConfig}`,
    named ?? [],
  ].flat()
  const unused = found === undefined || isFree ? [] : unusedOf(entry, found)
  return {
    ...base,
    may: [...base.may, ...unused],
    tools: (found?.tools ?? []).map(({ id, description }) => ({ id, description })),
    state: group.problem(present) !== null || broken.length > 0 ? "failed" : state,
    error: problems.length === 0 ? null : problems.join(" "),
    log: [...base.log, ...group.log()],
  }
}

/** What a plugin has that does not count, as it is the project's, or as several people share the service. */
function unusedOf({ isOwn }: PluginEntry, { auth, provider }: LoadedPlugin): string[] {
  const why = isOwn
    ? "several people share this service"
    : "only plugins of your own configuration sign in to providers and name models"
  return [
    ...(auth === null ? [] : [`Its sign-in to ${auth.provider} is not used: ${why}.`]),
    ...(provider === null ? [] : [`Its models of ${provider.id} are not used: ${why}.`]),
  ]
}
