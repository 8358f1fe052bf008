import type { ExtensionPlace } from "@docket/core/extension-host"
import { createKeyedQueue } from "@docket/core/keyed-queue"
import { digestOfEntries } from "./plugin-additions.ts"
import type { PluginEntry } from "./plugin-entries.ts"
import { createPluginSet, type PluginSet, type PluginSetDeps } from "./plugin-set.ts"

/** ms without a use after which the processes of a place end; they start again when they are needed. */
const idleMs = 10 * 60_000

/** The plugins of all places of a workspace. */
export interface RunningPlugins {
  /** Null where no plugin is to run. */
  in(place: ExtensionPlace, entries: readonly PluginEntry[]): Promise<PluginSet | null>
  /** What runs in a place now; null for nothing. */
  present(place: ExtensionPlace): PluginSet | null
  /** Ends what runs in a place. */
  forget(place: ExtensionPlace): Promise<void>
  close(): Promise<void>
}

export function createRunningPlugins(deps: PluginSetDeps): RunningPlugins {
  const present = new Map<string, { set: PluginSet; version: string }>()
  /** When each was used last; those that were replaced too, as long as a turn has them. */
  const used = new Map<PluginSet, number>()
  const inOrder = createKeyedQueue()
  const keyOf = ({ project }: ExtensionPlace) => `${project.id} ${project.worktree} ${project.directory}`
  const stopTimer = deps.timers.every(60_000, () => {
    for (const [set, at] of used) {
      if (deps.now() - at < idleMs) continue
      used.delete(set)
      void set.end()
    }
  })
  const forget = async (key: string) => {
    const known = present.get(key)
    present.delete(key)
    if (known === undefined) return
    used.delete(known.set)
    await known.set.end()
  }
  return {
    in: (place, entries) =>
      inOrder(keyOf(place), async () => {
        const key = keyOf(place)
        const version = digestOfEntries(entries)
        const known = present.get(key)
        if (known?.version !== version) {
          await forget(key)
          if (entries.every(({ at }) => at === null)) return null
          // Plain data, because it goes to the process.
          const config = structuredClone(place.config) as Record<string, unknown>
          present.set(key, { set: createPluginSet(deps, { place, entries, config }), version })
        }
        const { set } = present.get(key) ?? { set: null }
        if (set !== null) used.set(set, deps.now())
        return set
      }),
    present: (place) => present.get(keyOf(place))?.set ?? null,
    forget: (place) => inOrder(keyOf(place), () => forget(keyOf(place))),
    async close() {
      stopTimer()
      await Promise.all(
        [...new Set([...used.keys(), ...[...present.values()].map(({ set }) => set)])].map((set) => set.end()),
      )
      present.clear()
      used.clear()
    },
  }
}
