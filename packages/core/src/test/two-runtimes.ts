import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dyingStore } from "../contract/dying-store.ts"
import type { Store } from "../ground/store/index.ts"
import { type Script, type ScriptedRuntime, scriptedRuntime } from "./scripted-runtime.ts"

/** How long a turn stays its owner's (ms): longer than a busy machine keeps one that lives from renewing it. */
const usualLeaseMs = 600_000

export interface TwoRuntimes extends AsyncDisposable {
  one: ScriptedRuntime
  /** Looks at the session of `one`. */
  other: ScriptedRuntime
  /** `one` stores nothing more, its lease not either, and hears nothing. */
  kill(): void
}

/**
 * Two runtimes that share nothing but rows: each has a data directory, caches, timers and a store of its own. `leaseMs`
 * is for a test in which one dies: after so long the other takes over what it ran.
 */
export async function twoRuntimes(
  stores: { one: Store; other: Store },
  scripts: { one: Script; other: Script },
  config: object = {},
  leaseMs = usualLeaseMs,
): Promise<TwoRuntimes> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-two-")))
  const mortal = dyingStore(stores.one, () => {})
  const options = (runner: "one" | "other") => ({
    config,
    directory,
    dataDirectory: `.data-${runner}`,
    titles: false,
    shared: { runner, pollMs: 20, leaseMs },
  })
  const one = await scriptedRuntime(scripts.one, { ...options("one"), store: mortal.store })
  const { session } = one
  const other = await scriptedRuntime(scripts.other, { ...options("other"), store: stores.other, session })
  let isDead = false
  return {
    one,
    other,
    kill() {
      isDead = true
      mortal.dieAfter(0)
    },
    async [Symbol.asyncDispose]() {
      // A dead one waits for ever.
      if (!isDead) await one[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
      // Programs that one of them started may still write.
      await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
  }
}
