import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dyingStore } from "../contract/dying-store.ts"
import type { Store } from "../ground/store/index.ts"
import { type Script, type ScriptedRuntime, scriptedRuntime } from "./scripted-runtime.ts"

/** How long a runtime owns a turn (ms): longer than any pause of a busy machine, because the owner must renew it. */
const usualLeaseMs = 600_000

export interface TwoRuntimes extends AsyncDisposable {
  one: ScriptedRuntime
  /** Uses the session of `one`. */
  other: ScriptedRuntime
  /** `one` stores nothing more, including its lease, and receives nothing. */
  kill(): void
}

/**
 * Two runtimes that share only rows: each has its own data directory, caches, timers and store. `leaseMs` is for tests
 * in which one dies: after that time the other takes over its work.
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
      // A dead runtime would wait forever.
      if (!isDead) await one[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
      // Programs that a runtime started may still write files.
      await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
  }
}
