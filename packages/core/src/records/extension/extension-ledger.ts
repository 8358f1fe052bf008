import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import type { Timers } from "../../ground/concurrency/timers.ts"
import type {
  Caller,
  ExtensionRef,
  ExtensionSwitch,
  ExtensionUse,
  ListedExtension,
  PluginAdditions,
} from "../../ground/schema/index.ts"
import type { ExtensionStore } from "../../ground/store/index.ts"

/** How one call of an extension ended. */
export interface ExtensionCall {
  ms: number
  /** What went wrong, in words; null for a success. */
  failure: string | null
}

/** Which extensions people switched on or off, and what each did in the last seven days. */
export interface ExtensionLedger {
  /**
   * Whether it may run. `unset` counts where nobody decided; default `on`. The user's own items of another program are
   * `off` until somebody consents.
   */
  isOn(ref: ExtensionRef, choice?: { unset: "on" | "off" }): Promise<boolean>
  switch(ref: ExtensionRef, state: "on" | "off", by: Caller): Promise<void>
  /** Forgets the decision about an extension that is gone. */
  forget(ref: ExtensionRef): Promise<void>
  /** Counts a call. It is stored within a second. */
  note(ref: ExtensionRef, call: ExtensionCall): void
  /** The decision about an extension, and what it did. */
  factsOf(refs: readonly ExtensionRef[]): Promise<Pick<ListedExtension, "switched" | "use">[]>
  /** What the plugins of a project added when they were loaded last. */
  additions(projectID: string): Promise<PluginAdditions | null>
  keepAdditions(added: Omit<PluginAdditions, "time">): Promise<void>
  /** Stores what was counted. */
  close(): Promise<void>
}

export interface ExtensionLedgerDeps {
  store: ExtensionStore
  /** Epoch ms. */
  clock(): number
  timers: Timers
  /** Names the runtime among others on the same store; each counts in rows of its own. */
  runner: string
  /** Whether other runtimes change the switches too. */
  isShared: boolean
  onError(error: unknown): void
}

const dayMs = 24 * 60 * 60_000
/** Days that are counted. */
const keptDays = 7
/** ms after a call until it is stored, so that a busy extension does not write row upon row. */
const storeAfterMs = 1_000
/** ms for which a switch that another runtime changed may stay unseen. */
const freshMs = 2_000
/** Characters of a failure that are kept. */
const longestFailure = 500

type Counted = Pick<ExtensionUse, "days" | "failure" | "time"> & { ref: ExtensionRef }

export function createExtensionLedger(deps: ExtensionLedgerDeps): ExtensionLedger {
  const { store, clock } = deps
  const counted = new Map<string, Counted>()
  let switches: { at: number; rows: Promise<Map<string, ExtensionSwitch>> } | null = null
  let storing: Promise<void> = Promise.resolve()
  let isPlanned = false
  const read = () => {
    const isFresh = switches !== null && (!deps.isShared || clock() - switches.at < freshMs)
    if (isFresh && switches !== null) return switches.rows
    const rows = store.switches().then((all) => new Map(all.map((row) => [row.key, row])))
    const reading = { at: clock(), rows }
    switches = reading
    rows.catch(() => {
      if (switches === reading) switches = null
    })
    return rows
  }
  const flush = () => {
    isPlanned = false
    const waiting = [...counted]
    counted.clear()
    if (waiting.length === 0) return storing
    storing = storing
      .then(async () => {
        const rows = await Promise.all(
          waiting.map(async ([key, calls]) => {
            const { ref, ...now } = calls
            const stored = await store.use(key)
            const first = Math.floor(now.time.used / dayMs) - keptDays
            const days = addDays(stored?.days ?? [], now.days).filter(({ day }) => day > first)
            return { ...ref, key, days, failure: now.failure ?? stored?.failure ?? null, time: now.time }
          }),
        )
        await store.putUses(rows)
        await store.removeUsesBefore(clock() - keptDays * dayMs)
      })
      .catch(deps.onError)
    return storing
  }
  return {
    async isOn(ref, { unset } = { unset: "on" }) {
      return ((await read()).get(keyOf(ref))?.state ?? unset) === "on"
    },
    async switch({ kind, name, projectID }, state, by) {
      const ref = { kind, name, projectID }
      await store.putSwitch({ ...ref, key: keyOf(ref), state, by, time: { changed: clock() } })
      switches = null
    },
    async forget(ref) {
      await store.removeSwitch(keyOf(ref))
      switches = null
    },
    note({ kind, name, projectID }, { ms, failure }) {
      const ref = { kind, name, projectID }
      const key = keyOf(ref, deps.runner)
      const at = clock()
      const { days, failure: before = null } = counted.get(key) ?? { days: [] }
      counted.set(key, {
        ref,
        days: addDays(days, [{ day: Math.floor(at / dayMs), calls: 1, failures: failure === null ? 0 : 1, ms }]),
        failure: failure === null ? before : { at, text: failure.slice(0, longestFailure) },
        time: { used: at },
      })
      if (isPlanned) return
      isPlanned = true
      deps.timers.after(storeAfterMs, () => void flush())
    },
    async factsOf(refs) {
      await flush()
      const [decided, uses] = await Promise.all([read(), store.uses()])
      const first = Math.floor(clock() / dayMs) - keptDays
      const byRef = Map.groupBy(uses, (use) => keyOf(use))
      return refs.map((ref) => {
        const own = byRef.get(keyOf(ref)) ?? []
        const days = own.flatMap((use) => use.days).filter(({ day }) => day > first)
        const failures = own.flatMap(({ failure }) => failure ?? []).sort((a, b) => b.at - a.at)
        const row = decided.get(keyOf(ref))
        return {
          switched: row === undefined ? null : { state: row.state, by: row.by, at: row.time.changed },
          use: {
            calls: sum(days.map(({ calls }) => calls)),
            failures: sum(days.map((day) => day.failures)),
            ms: sum(days.map(({ ms }) => ms)),
            used: own.length === 0 ? null : Math.max(...own.map(({ time }) => time.used)),
            failure: failures[0] ?? null,
          },
        }
      })
    },
    additions: (projectID) => store.additions(projectID),
    async keepAdditions(added) {
      try {
        const { time: _, ...before } = (await store.additions(added.projectID)) ?? { time: null }
        if (isDeepStrictEqual(before, added)) return
        await store.putAdditions({ ...added, time: { loaded: clock() } })
      } catch (error) {
        // The plugins work all the same, and are loaded again for the next list.
        deps.onError(error)
      }
    },
    close: flush,
  }
}

function keyOf({ kind, name, projectID }: ExtensionRef, runner = ""): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, name, projectID, runner]))
    .digest("hex")
}

/** Both lists together, one entry a day, the newest last. */
function addDays(days: ExtensionUse["days"], more: ExtensionUse["days"]): ExtensionUse["days"] {
  const byDay = new Map(days.map((entry) => [entry.day, entry]))
  for (const { day, calls, failures, ms } of more) {
    const before = byDay.get(day) ?? { calls: 0, failures: 0, ms: 0 }
    byDay.set(day, {
      day,
      calls: before.calls + calls,
      failures: before.failures + failures,
      ms: before.ms + ms,
    })
  }
  return [...byDay.values()].sort((a, b) => a.day - b.day)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
