import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dyingStore } from "../contract/dying-store.ts"
import type { Blobs } from "../ground/blob/blobs.ts"
import { createDuty, type HeldDuty } from "../ground/concurrency/duty.ts"
import { DocketError } from "../ground/error/docket-error.ts"
import type { PeerNews, Peers } from "../ground/event/peers.ts"
import type { Place } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/index.ts"
import type { HostLink } from "../runtime/host-calls.ts"
import type { SharedStore } from "../runtime/runtime-deps.ts"
import { createInProcessEngines } from "./in-process-engine.ts"
import { memoryVault } from "./memory-vault.ts"
import { type Script, type ScriptedRuntime, scriptedRuntime } from "./scripted-runtime.ts"

/** Rows are read when there is news of them, and not in between. */
const neverMs = 600_000
const oneHost = "host:hst_000000000000aaaaaaaaaaaaaa"

export interface Worker extends ScriptedRuntime {
  /** It stores nothing more and hears nothing, and other nodes know it. */
  kill(): void
  /** Gives its trees to the others. */
  giveBack(): Promise<void>
  /** Dies when it begins the next write after this many; resolves then. */
  killAfter(writes: number): Promise<void>
  /** Believes that it has the duties too, whoever else has them. */
  usurp(): void
  /** Leaves the duties to others; the returned function takes them up again. */
  rest(): () => void
}

export interface SeveralNodes extends AsyncDisposable {
  /** Works on nothing, and has no files. */
  web: ScriptedRuntime
  workers: Worker[]
  /** What the web node asked of the host. */
  asked: string[]
  /** What the nodes told each other. */
  told: PeerNews[]
}

interface OwnDuties {
  files: HeldDuty
  rows: HeldDuty
}

function holdBoth({ files, rows }: OwnDuties, signal: AbortSignal): void {
  void files.hold(signal)
  void rows.hold(signal)
}

/** Gives the duties to the node that entered first; when it leaves, to the next one. */
function createDutyRota(): { enter(own: OwnDuties): () => void } {
  const present: { own: OwnDuties; left: AbortController }[] = []
  const give = () => {
    const [first] = present
    if (first !== undefined) holdBoth(first.own, first.left.signal)
  }
  return {
    enter(own) {
      const entry = { own, left: new AbortController() }
      present.push(entry)
      if (present.length === 1) give()
      return () => {
        const had = present[0] === entry
        present.splice(present.indexOf(entry), 1)
        entry.left.abort()
        if (had) give()
      }
    },
  }
}

interface SeveralOptions {
  config?: object
  /** Each worker is a host of its own, and the trees of repositories are worked on by any of them. */
  apart?: boolean
  /** The clock that all share; default: that of this process. */
  clock?: () => number
  /** Where they keep contents for each other. The workers are hosts of their own then, which share their directories. */
  blobs?: Blobs
  /** Of the nodes' services; empty when left out. */
  env?: Record<string, string>
  /** Makes the project's directory what it is before the nodes begin. */
  prepare?(directory: string): Promise<void>
}

interface Opening {
  store: Store
  script: Script
  /** That of the first worker; a new one when left out. */
  session: ScriptedRuntime["session"] | undefined
  shared: Partial<SharedStore>
}

/** A store that queues the trees of its waiting turns, as a database of several nodes does in the same transaction. */
function withJobs(store: Store, enqueue: (rootIDs: string[]) => Promise<void>): Store {
  const commit: Store["write"]["commit"] = async (batches) => {
    const changes = await store.write.commit(batches)
    const rootIDs = batches.flatMap(({ rootID, mutations }) =>
      mutations.some((mutation) => mutation.kind === "turn" && mutation.job === true) ? [rootID] : [],
    )
    if (rootIDs.length > 0) await enqueue(rootIDs)
    return changes
  }
  return { ...store, write: { ...store.write, commit } }
}

/**
 * A web node and workers of one host. They share the rows and the project's directory; each has its own data directory,
 * caches, timers and store. The first store is that of the web node.
 */
export async function severalNodes(
  stores: readonly Store[],
  scripts: readonly Script[],
  { config = {}, clock = Date.now, apart = false, blobs, env = {}, prepare }: SeveralOptions = {},
): Promise<SeveralNodes> {
  const place: Place = blobs === undefined ? oneHost : "storage:shared"
  const contents = blobs && { contents: { blobs, tenant: "local" } }
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-nodes-")))
  await prepare?.(directory)
  const engines = createInProcessEngines()
  const dead = new Set<string>()
  const [webStore, ...workerStores] = stores
  if (webStore === undefined) throw new Error("there is no store for the web node")
  const asked: string[] = []
  const told: PeerNews[] = []
  const ears = new Set<(from: string, news: PeerNews) => void>()
  const peersOf = (name: string): Peers => ({
    tell(news) {
      told.push(news)
      if (!dead.has(name)) setImmediate(() => ears.forEach((hear) => void hear(name, structuredClone(news))))
    },
    listen(listener) {
      const hear = (from: string, news: PeerNews) => {
        if (from !== name && !dead.has(name)) listener(news, from)
      }
      ears.add(hear)
      return () => void ears.delete(hear)
    },
  })
  const workers: (Worker & { isDead: () => boolean; places: readonly string[] })[] = []
  const call: HostLink["call"] = async (target, request) => {
    asked.push(request)
    const worker = workers.find(({ isDead, places }) => !isDead() && places.includes(target))
    if (worker === undefined) throw new DocketError("host_away", "No worker is there.")
    return worker.runtime.answer(request)
  }
  const watchers = new Set<() => void>()
  const watch: HostLink["watch"] = (changed) => {
    watchers.add(changed)
    return () => void watchers.delete(changed)
  }
  const awaited: HostLink["awaited"] = async (asked) => {
    const isServed = (target: string) => workers.some(({ isDead, places }) => !isDead() && places.includes(target))
    const away = asked.filter((target) => !isServed(target))
    return new Map(away.map((target) => [target, { kind: "host", name: target, why: "gone" }]))
  }
  const directories: HostLink["directories"] = async () => {
    const served = workers.flatMap(({ isDead, places }) => (isDead() ? [] : places.slice(0, 1)))
    return [...new Set(served)].map((own) => ({
      ...{ place: own, name: own },
      kind: own.startsWith("host:") ? "host" : "storage",
    }))
  }
  const onError = (error: unknown) => {
    throw error
  }
  const duties = createDutyRota()
  const vault = memoryVault()
  const open = async (name: string, { store, script, session, shared }: Opening) => {
    const engine = engines.node()
    const mortal = dyingStore(store, () => {})
    const enqueue = async (rootIDs: string[]) =>
      engine.enqueue(
        await Promise.all(
          rootIDs.map(async (rootID) => {
            const found = apart ? await store.tree.place(rootID) : null
            return { tenantID: "local", rootID, place: found || place }
          }),
        ),
      )
    const runtime = await scriptedRuntime(script, {
      ...{ config, directory, dataDirectory: `.data-${name}`, titles: false, ...(session && { session }) },
      store: withJobs(mortal.store, enqueue),
      shared: {
        ...{ runner: name, pollMs: neverMs, peers: peersOf(name), isAlive: (other) => !dead.has(other) },
        ...contents,
        ...shared,
      },
      ...{ clock, vault, env },
    })
    return { engine, mortal, runtime, name }
  }
  let session: ScriptedRuntime["session"] | undefined
  for (const [index, store] of workerStores.entries()) {
    const script = scripts[index]
    if (script === undefined) throw new Error(`worker ${index} has no script`)
    const name = `worker-${index + 1}`
    const own = { files: createDuty(onError), rows: createDuty(onError) }
    const host = apart ? `hst_00000000000${index + 1}aaaaaaaaaaaaaa` : undefined
    const places = host === undefined ? [place] : [place, `host:${host}`, "any"]
    const { engine, mortal, runtime } = await open(name, {
      ...{ store, script, session },
      shared: { place, hosts: { places, call, awaited, directories, watch }, duties: own, ...(host && { host }) },
    })
    session ??= runtime.session
    let leave = duties.enter(own)
    const kill = () => {
      mortal.dieAfter(0)
      dead.add(name)
      engine.die()
      leave()
      for (const changed of watchers) changed()
    }
    await engine.serve({ places, capacity: 10, work: runtime.runtime.workOn })
    workers.push({
      ...runtime,
      isDead: () => dead.has(name),
      places,
      async giveBack() {
        leave()
        await engine.giveBack()
      },
      usurp: () => holdBoth(own, new AbortController().signal),
      rest() {
        leave()
        return () => {
          leave = duties.enter(own)
        }
      },
      kill,
      async killAfter(writes) {
        mortal.dieAfter(writes)
        await mortal.dead
        kill()
      },
    })
  }
  const noWork: Script = () => {
    throw new Error("the web node works")
  }
  const hosts: HostLink = { places: [], call, awaited, directories, watch }
  const web = await open("web", { store: webStore, script: noWork, session, shared: { hosts } })
  return {
    web: web.runtime,
    workers,
    asked,
    told,
    async [Symbol.asyncDispose]() {
      // A dead node would wait for ever.
      for (const worker of workers) if (!worker.isDead()) await worker[Symbol.asyncDispose]()
      await web.runtime[Symbol.asyncDispose]()
      // Programs that a node started may still write files.
      await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
  }
}
