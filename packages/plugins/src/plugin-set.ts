import { isDeepStrictEqual } from "node:util"
import type { ExtensionPlace } from "@docket/core/extension-host"
import { z } from "zod"
import type { LoadedPlugin } from "./child-messages.ts"
import { configForProject } from "./config-for-project.ts"
import { followEvents, opencodeEvents } from "./follow-events.ts"
import { additionsOf, digestOfEntries } from "./plugin-additions.ts"
import type { PluginEntry } from "./plugin-entries.ts"
import { createPluginGroup, type LoadedPlugins, type PluginGroup } from "./plugin-group.ts"
import { NotStarted, type PluginProcessDeps, PluginTimeout, ProcessEnded } from "./plugin-process.ts"

/** How often plugins are asked about one output that others of them change. */
const mostRounds = 5
/** How often a hook may fail in a row before it is not asked any more. */
const mostFailures = 3

export interface PluginSetDeps extends Omit<PluginProcessDeps, "place"> {
  /** It is about to need its processes. */
  onUse(): void
  /** What happens in the sessions of a place's project, as Docket says it; without it, no plugin hears of that. */
  events?: ((place: ExtensionPlace, signal: AbortSignal) => AsyncIterable<object>) | undefined
  /** The user's own plugins were loaded. */
  onOwnLoaded?(found: ReadonlyMap<PluginEntry, LoadedPlugin>): Promise<void>
  /** Where the service is reached, for plugins that name it. */
  serverUrl(): string
}

interface HookCall<T> {
  hook: string
  input: unknown
  output: T
  /** What the output has to be; what is not like this counts as a failure. */
  shape: z.ZodType<T>
  /** What counts of a plugin's output; all of it unless set. `before` is what the plugin got. */
  counts?(entry: PluginEntry, given: T, before: T): T
}

/** How a hook of one plugin went wrong. */
export interface HookFailure {
  plugin: string
  message: string
  /** The plugin said so itself, by an error: for hooks that decide, that is a decision. */
  isSaid: boolean
}

interface AskHow {
  decides: boolean
  settles?: boolean
}

interface HookAnswer<T> {
  output: T
  /** The titles of the plugins that changed something. */
  changedBy: string[]
  /** The first failure; those after it are still asked, unless the hook decides. */
  failure: HookFailure | null
}

/** The plugins of one place: which there are, and what they answer. */
export interface PluginSet {
  place: ExtensionPlace
  entries: readonly PluginEntry[]
  /** Plugins that have the hook, or a hook of any of these names. */
  has(hook: string): Promise<boolean>
  /**
   * Asks the plugins that have the hook one after another. With `decides` the first failure ends it; else one that fails is
   * passed over, and after three failures in a row not asked any more. With `settles` each is asked again about what later
   * ones made of the output, until all of them leave it as it is.
   */
  ask<T>(call: HookCall<T>, how?: AskHow): Promise<HookAnswer<T>>
  loaded(): Promise<readonly { entry: PluginEntry; loaded: LoadedPlugin; group: PluginGroup }[]>
  groupOf(entry: PluginEntry): PluginGroup
  /** Hooks that are not asked any more, of one plugin. */
  brokenHooks(entry: PluginEntry): string[]
  /** Plugins that were to run and were never loaded: nobody knows which hooks they have. */
  unloaded(): { entry: PluginEntry; why: string }[]
  /** Calls wait for it. */
  isBusy(): boolean
  /** Ends its processes; it starts them again when it is used. */
  rest(): Promise<void>
}

export function createPluginSet(
  deps: PluginSetDeps,
  {
    place,
    entries,
    config,
  }: { place: ExtensionPlace; entries: readonly PluginEntry[]; config: Record<string, unknown> },
): PluginSet {
  const { timers, times, ask, now, serverUrl, room, closing, onUse } = deps
  const { project } = place
  const input = {
    project: {
      id: project.id,
      worktree: project.worktree,
      ...(project.git && { vcs: "git" }),
      time: { created: project.time.created },
    },
    directory: project.directory,
    worktree: project.worktree,
    serverUrl: serverUrl(),
  }
  const groupFor = (isOwn: boolean) =>
    createPluginGroup({
      ...{ timers, times, now, place, ask, input, room, closing },
      config: isOwn ? config : configForProject(config),
      entries: entries.filter((entry) => entry.isOwn === isOwn),
      isFree: isOwn && !place.isShared,
    })
  const groups = { own: groupFor(true), project: groupFor(false) }
  const groupOf = ({ isOwn }: PluginEntry) => (isOwn ? groups.own : groups.project)
  const active = entries.filter(({ at }) => at !== null)
  /** Failures in a row, by plugin and hook. */
  const failures = new Map<string, number>()
  const keyOf = (entry: PluginEntry, hook: string) => `${entries.indexOf(entry)} ${hook}`
  const isBroken = (entry: PluginEntry, hook: string) => (failures.get(keyOf(entry, hook)) ?? 0) >= mostFailures
  /** The hooks that a plugin had when it was loaded last: one that is lost still has a say in decisions. */
  const known = new Map<PluginEntry, readonly string[]>()
  const loadedNow: PluginSet["loaded"] = async () => {
    const found = await Promise.all(
      [...new Set(active.map(groupOf))].map(async (group) => [group, await group.loaded()] as const),
    )
    const byGroup = new Map(found)
    const all = active.flatMap((entry) => {
      const group = groupOf(entry)
      const one = byGroup.get(group)?.get(entry)
      if (one === undefined) return []
      known.set(entry, one.hooks)
      return [{ entry, loaded: one, group }]
    })
    await keep(
      found.map(([, one]) => one),
      all,
    )
    return all
  }
  let kept: { of: readonly (LoadedPlugins | null)[]; done: Promise<void> } | null = null
  /** Stores what they add, once for each time that they are loaded. */
  const keep = async (of: readonly (LoadedPlugins | null)[], all: Awaited<ReturnType<PluginSet["loaded"]>>) => {
    if (of.includes(null)) return
    if (kept === null || of.some((one, at) => one !== kept?.of[at])) {
      const added = { projectID: project.id, digest: digestOfEntries(entries), ...additionsOf(all) }
      const own = new Map(all.flatMap(({ entry, loaded: one }) => (entry.isOwn ? [[entry, one] as const] : [])))
      const done = Promise.all([place.ledger.keepAdditions(added), deps.onOwnLoaded?.(own)]).then(() => {})
      kept = { of, done }
    }
    await kept.done
  }
  const withHook = async (hook: string) => {
    await loadedNow()
    listenAll()
    return active.filter((entry) => known.get(entry)?.includes(hook))
  }
  const askOne = async <T>(entry: PluginEntry, { hook, input: about, output, shape, counts }: HookCall<T>) => {
    const began = now()
    let failure: HookFailure | null = null
    let result = output
    try {
      if (isBroken(entry, hook)) throw new ProcessEnded(`Its hook ${hook} is off after ${mostFailures} failures.`, null)
      const asked = { kind: "hook", hook, input: about, output } as const
      const given = shape.safeParse(await groupOf(entry).call(entry, asked, { timeoutMs: times.hook }))
      if (!given.success) throw new PluginTimeout(`What its hook ${hook} made is not of the right form.`)
      result = counts?.(entry, given.data, output) ?? given.data
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const isSaid = ![PluginTimeout, ProcessEnded, NotStarted].some((kind) => error instanceof kind)
      failure = { plugin: entry.title, message, isSaid }
    }
    return { result, failure, ms: now() - began }
  }
  const listening = new Map<string, () => void>()
  /** Begins with the first turn in which a plugin listens. */
  const listen = (hook: string, events: (signal: AbortSignal) => AsyncIterable<object>) => {
    if (listening.has(hook) || closing.aborted || !active.some((entry) => known.get(entry)?.includes(hook))) return
    const tell = async (event: object) => {
      await askAll({ hook, input: { event }, output: {}, shape: z.unknown() })
    }
    listening.set(hook, followEvents({ events, timers, tell }))
  }
  const listenAll = () => {
    listen("event", (signal) => opencodeEvents({ place, ask }, signal))
    const { events } = deps
    if (events !== undefined) listen("docket.event", (signal) => events(place, signal))
  }
  const askAll: PluginSet["ask"] = async (call, { decides, settles } = { decides: false }) => {
    let { output } = call
    const changedBy = new Set<string>()
    let first: HookFailure | null = null
    const asked = await withHook(call.hook)
    const seen = new Map<PluginEntry, unknown>()
    const agrees = (entry: PluginEntry) => seen.has(entry) && isDeepStrictEqual(seen.get(entry), output)
    for (let round = 0; round < mostRounds; round++) {
      for (const entry of asked) {
        if (agrees(entry) || (!decides && isBroken(entry, call.hook))) continue
        const { result, failure, ms } = await askOne(entry, { ...call, output })
        const key = keyOf(entry, call.hook)
        const counts = failure !== null && !(decides && failure.isSaid)
        failures.set(key, counts ? (failures.get(key) ?? 0) + 1 : 0)
        place.ledger.note(entry.ref, { ms, failure: counts ? (failure?.message ?? null) : null })
        if (failure !== null) {
          first ??= failure
          if (decides) return { output, changedBy: [...changedBy], failure: first }
          continue
        }
        if (!isDeepStrictEqual(result, output)) changedBy.add(entry.title)
        output = result
        seen.set(entry, output)
      }
      if (settles !== true || asked.every(agrees)) return { output, changedBy: [...changedBy], failure: first }
    }
    const message = `Plugins changed it ${mostRounds} times and did not come to an end.`
    return { output, changedBy: [...changedBy], failure: { plugin: [...changedBy].join(", "), message, isSaid: true } }
  }
  return {
    place,
    entries,
    loaded() {
      onUse()
      return loadedNow()
    },
    groupOf,
    async has(hook) {
      if (active.length === 0) return false
      onUse()
      return (await withHook(hook)).length > 0
    },
    ask(call, how) {
      onUse()
      return askAll(call, how)
    },
    brokenHooks: (entry) => (known.get(entry) ?? []).filter((hook) => isBroken(entry, hook)),
    unloaded: () =>
      active.flatMap((entry) => {
        const why = known.has(entry) ? null : groupOf(entry).problem(entry)
        return why === null ? [] : [{ entry, why }]
      }),
    isBusy: () => groups.own.isBusy() || groups.project.isBusy(),
    async rest() {
      for (const end of listening.values()) end()
      listening.clear()
      await Promise.all([groups.own.rest(), groups.project.rest()])
    },
  }
}
