import type { ExtensionPlace } from "@docket/core/extension-host"
import { createKeyedQueue } from "@docket/core/keyed-queue"
import { digestOfEntries } from "./plugin-additions.ts"
import type { PluginEntry } from "./plugin-entries.ts"
import { createPluginSet, type PluginSet, type PluginSetDeps } from "./plugin-set.ts"

/** ms without a use after which the processes of a place end; they start again when they are needed. */
const idleMs = 10 * 60_000

/** The plugins of all places of a workspace. */
export interface RunningPlugins {
  /** Null where no plugin is to run. @throws Error once the service stops */
  in(place: ExtensionPlace, entries: readonly PluginEntry[]): Promise<PluginSet | null>
  /** What counts in a place now; null for nothing. */
  present(place: ExtensionPlace): PluginSet | null
  /** Ends what runs in a place. Turns that have it already start it again when they need it. */
  forget(place: ExtensionPlace): Promise<void>
  /** Ends all processes. None starts afterwards. */
  close(): Promise<void>
}

/**
 * A set is present, or was replaced and lives as long as a turn has it; and it is awake, with processes, or at rest. Whatever it
 * is, it wakes when it is used, until the service stops.
 */
export function createRunningPlugins(deps: Omit<PluginSetDeps, "closing" | "onUse">): RunningPlugins {
  const closing = new AbortController()
  const present = new Map<string, { set: PluginSet; version: string }>()
  /** Those that are awake, with when each was used last. */
  const awake = new Map<PluginSet, number>()
  const inOrder = createKeyedQueue()
  const keyOf = ({ project }: ExtensionPlace) => `${project.id} ${project.worktree} ${project.directory}`
  const rest = (set: PluginSet) => {
    awake.delete(set)
    return set.rest()
  }
  const stopTimer = deps.timers.every(60_000, () => {
    for (const [set, at] of awake) if (deps.now() - at >= idleMs && !set.isBusy()) void rest(set)
  })
  const forget = async (key: string) => {
    const known = present.get(key)
    present.delete(key)
    if (known !== undefined) await rest(known.set)
  }
  const make = (place: ExtensionPlace, entries: readonly PluginEntry[]): PluginSet => {
    // Plain data, because it goes to the process.
    const config = structuredClone(place.config) as Record<string, unknown>
    const onUse = () => void awake.set(set, deps.now())
    const set = createPluginSet({ ...deps, closing: closing.signal, onUse }, { place, entries, config })
    return set
  }
  return {
    in: (place, entries) =>
      inOrder(keyOf(place), async () => {
        closing.signal.throwIfAborted()
        const key = keyOf(place)
        const version = digestOfEntries(entries)
        const known = present.get(key)
        if (known?.version === version) return known.set
        await forget(key)
        if (entries.every(({ at }) => at === null)) return null
        const set = make(place, entries)
        present.set(key, { set, version })
        return set
      }),
    present: (place) => present.get(keyOf(place))?.set ?? null,
    forget: (place) => inOrder(keyOf(place), () => forget(keyOf(place))),
    async close() {
      closing.abort(new Error("Docket is stopping."))
      stopTimer()
      await Promise.all([...awake.keys()].map(rest))
      present.clear()
    },
  }
}
