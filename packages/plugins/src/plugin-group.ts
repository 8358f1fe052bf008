import type { ExtensionPlace } from "@docket/core/extension-host"
import type { Asked, ChildPlugin, StartMessage } from "./child/protocol.ts"
import type { LoadedPlugin } from "./child-messages.ts"
import type { PluginEntry } from "./plugin-entries.ts"
import { type PluginProcess, type PluginProcessDeps, ProcessEnded, startPluginProcess } from "./plugin-process.ts"

/** How often the process may end for no reason that is known before its plugins are given up. */
const mostEnds = 3
/** ms after which a process that could not be started is tried again. */
const retryMs = 10_000

type CallOptions = Parameters<PluginProcess["call"]>[2]

/** What one process has loaded; the same object while it runs. */
export type LoadedPlugins = ReadonlyMap<PluginEntry, LoadedPlugin>

/** The plugins that share a process, whatever becomes of it: one that ends it is left out when it is started again. */
export interface PluginGroup {
  /** Loads them on the first call, and again when the process has ended. Null while it cannot be started. */
  loaded(): Promise<LoadedPlugins | null>
  /** @throws as `PluginProcess.call`; ProcessEnded also for a plugin that was left out, NotStarted */
  call(entry: PluginEntry, asked: Asked, options: CallOptions): Promise<unknown>
  /** What is wrong with a plugin; null for nothing. */
  problem(entry: PluginEntry): string | null
  state(): "idle" | "starting" | "ready"
  log(): string[]
  /** Calls wait for it. */
  isBusy(): boolean
  /** Ends the process; the next call starts it again. */
  rest(): Promise<void>
}

interface GroupDeps extends PluginProcessDeps {
  entries: readonly PluginEntry[]
  input: StartMessage["input"]
  config: Record<string, unknown>
  isFree: boolean
}

export function createPluginGroup(deps: GroupDeps): PluginGroup {
  const { place, entries } = deps
  /** Why a plugin is not loaded any more. */
  const dropped = new Map<number, string>()
  const failed = new Map<number, string>()
  let running: Promise<PluginProcess> | null = null
  let ready: PluginProcess | null = null
  let ends = 0
  let lastLog: string[] = []
  let startProblem: { at: number; message: string } | null = null
  const numberOf = (entry: PluginEntry) => entries.indexOf(entry)
  const start = async (): Promise<PluginProcess> => {
    for (;;) {
      const plugins = entries.flatMap(({ at, title, options }, number): ChildPlugin[] =>
        at === null || dropped.has(number) ? [] : [{ number, name: title, at, options }],
      )
      try {
        const process = await startPluginProcess(deps, {
          plugins,
          trusted: trustedFiles(place, entries),
          input: deps.input,
          config: deps.config,
          readable: readableBy(place, entries),
          isFree: deps.isFree,
        })
        for (const { plugin, error } of process.loaded) {
          if (error === undefined) failed.delete(plugin)
          else failed.set(plugin, error)
        }
        return process
      } catch (error) {
        if (!(error instanceof ProcessEnded)) throw error
        blame(error)
      }
    }
  }
  const blame = ({ plugin, message }: ProcessEnded) => {
    if (plugin !== null && !dropped.has(plugin)) return void dropped.set(plugin, message)
    ends += 1
    if (ends < mostEnds) return
    for (const number of entries.keys()) if (!dropped.has(number)) dropped.set(number, message)
  }
  const open = (): Promise<PluginProcess> => {
    if (ready?.isOver()) {
      lastLog = ready.log()
      ready = null
      running = null
    }
    if (running !== null) return running
    const starting: Promise<PluginProcess> = start().then(
      (process) => {
        if (running === starting) ready = process
        return process
      },
      (error) => {
        if (running === starting) running = null
        throw error
      },
    )
    running = starting
    return starting
  }
  const loadedBy = new WeakMap<PluginProcess, LoadedPlugins>()
  const seen = new WeakSet<ProcessEnded>()
  /** Those that were ended and did not end by themselves. */
  const rested = new WeakSet<PluginProcess>()
  return {
    async loaded() {
      if (startProblem !== null && deps.now() - startProblem.at < retryMs) return null
      const process = await open().catch((error: unknown) => {
        startProblem = { at: deps.now(), message: error instanceof Error ? error.message : String(error) }
        return null
      })
      if (process === null) return null
      startProblem = null
      const known = loadedBy.get(process)
      if (known !== undefined) return known
      const found = new Map(
        process.loaded.flatMap((one) => {
          const entry = entries[one.plugin]
          return entry === undefined || one.error !== undefined ? [] : [[entry, one] as const]
        }),
      )
      loadedBy.set(process, found)
      return found
    },
    async call(entry, asked, options) {
      const number = numberOf(entry)
      for (;;) {
        const gone = dropped.get(number)
        if (gone !== undefined) throw new ProcessEnded(gone, number)
        const process = await open()
        try {
          return await process.call(number, asked, options)
        } catch (error) {
          if (!(error instanceof ProcessEnded)) throw error
          // Many calls end with the process, and tell of one end.
          if (!seen.has(error) && !rested.has(process)) blame(error)
          seen.add(error)
          // A hook of another plugin is asked again; a tool may have done its work.
          if (dropped.has(number) || asked.kind !== "hook") throw error
        }
      }
    },
    problem: (entry) => dropped.get(numberOf(entry)) ?? failed.get(numberOf(entry)) ?? startProblem?.message ?? null,
    state: () =>
      ready !== null && !ready.isOver() ? "ready" : running === null || ready !== null ? "idle" : "starting",
    log: () => ready?.log() ?? lastLog,
    isBusy: () => ready?.isBusy() ?? running !== null,
    async rest() {
      lastLog = ready?.log() ?? lastLog
      const before = running
      running = null
      ready = null
      const process = await before?.catch(() => null)
      if (!process) return
      rested.add(process)
      await process.end()
    },
  }
}

/** The files of a project that may be loaded, as they were trusted; null where all plugins are the user's own. */
function trustedFiles(place: ExtensionPlace, entries: readonly PluginEntry[]): StartMessage["trusted"] {
  const isOwn = entries.every((entry) => entry.isOwn)
  return isOwn ? null : { within: place.checkout, files: Object.assign({}, ...entries.map(({ trusted }) => trusted)) }
}

function readableBy(place: ExtensionPlace, entries: readonly PluginEntry[]): string[] {
  const places = entries.flatMap(({ readable }) => readable)
  return place.checkout === place.project.worktree ? places : [place.checkout, ...places]
}
