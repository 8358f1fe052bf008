import type { ExtensionPlace } from "@docket/core/extension-host"
import type { AskDocket } from "../ask-docket.ts"
import type { Asked } from "../child/protocol.ts"
import type { LoadedPlugin } from "../child-messages.ts"
import type { PluginEntry } from "../plugin-entries.ts"
import { createPluginGroup, type PluginGroup } from "../plugin-group.ts"
import { type PluginProcessDeps, ProcessEnded } from "../plugin-process.ts"

/** ms without a use after which a process ends; it starts again when it is needed. */
const idleMs = 10 * 60_000
/** An address that leads nowhere: requests to it are answered by `ask`. */
const serverUrl = "http://docket.invalid"

export type AccountProgramsDeps = Pick<PluginProcessDeps, "timers" | "times" | "now" | "room">

/** The process of one plugin. */
export interface AccountProgram {
  /** What it has; another one after each start. @throws ProcessEnded where it cannot be loaded */
  loaded(): Promise<LoadedPlugin>
  call(asked: Asked, options: Parameters<PluginGroup["call"]>[2]): Promise<unknown>
}

/** The processes in which plugins sign in. Each has one plugin, so that no other one reaches what lets a person in. */
export interface AccountPrograms {
  /** Uses that of a plugin, which does not end meanwhile. */
  use<T>(entry: PluginEntry, place: ExtensionPlace, work: (program: AccountProgram) => Promise<T>): Promise<T>
  /** Loads plugins to see what they are, and ends them. */
  look(entries: readonly PluginEntry[], place: ExtensionPlace): ReturnType<PluginGroup["loaded"]>
  /** The last lines that a plugin printed there. */
  log(plugin: string): string[]
  end(plugin: string): Promise<void>
  close(): Promise<void>
}

interface Running {
  group: PluginGroup
  program: AccountProgram
  version: string
  uses: number
  usedAt: number
}

export function createAccountPrograms(
  deps: AccountProgramsDeps,
  doorOf: (plugin: string, place: ExtensionPlace) => AskDocket,
): AccountPrograms {
  const { timers, times, now, room } = deps
  const closing = new AbortController()
  const running = new Map<string, Running>()
  /** The last lines of those that ended. */
  const logs = new Map<string, string[]>()
  const groupOf = (entries: readonly PluginEntry[], place: ExtensionPlace, ask: AskDocket) =>
    createPluginGroup({
      ...{ timers, times, now, room, place, entries, ask, closing: closing.signal },
      input: {
        project: { id: "global", worktree: place.home, time: { created: 0 } },
        ...{ directory: place.home, worktree: place.home, serverUrl },
      },
      // Plain data, because it goes to the process.
      config: structuredClone(place.config) as Record<string, unknown>,
      isFree: true,
    })
  const end = async (plugin: string) => {
    const found = running.get(plugin)
    running.delete(plugin)
    if (found !== undefined) logs.set(plugin, found.group.log())
    await found?.group.rest()
  }
  const stopTimer = timers.every(60_000, () => {
    for (const [plugin, { uses, usedAt }] of running) if (uses === 0 && now() - usedAt >= idleMs) void end(plugin)
  })
  return {
    async use(entry, place, work) {
      const { name } = entry.ref
      const version = JSON.stringify([entry.at, entry.options, entry.version])
      if (running.get(name)?.version !== version) await end(name)
      const one = running.get(name) ?? {
        ...programOf(entry, groupOf([entry], place, doorOf(name, place))),
        ...{ version, uses: 0, usedAt: now() },
      }
      running.set(name, one)
      one.uses += 1
      try {
        return await work({
          ...one.program,
          async call(asked, options) {
            // A group that nobody holds any more would start a process that nobody ends.
            if (running.get(name) !== one) throw new ProcessEnded("It was ended meanwhile.", null)
            return one.program.call(asked, options)
          },
        })
      } catch (error) {
        // The next use starts it anew.
        if (error instanceof ProcessEnded && running.get(name) === one) await end(name)
        throw error
      } finally {
        one.uses -= 1
        one.usedAt = now()
      }
    },
    async look(entries, place) {
      const group = groupOf(entries, place, async () =>
        Response.json(
          { name: "NotSupportedError", data: { message: "The plugin is only looked at." } },
          { status: 501 },
        ),
      )
      try {
        return await group.loaded()
      } finally {
        await group.rest()
      }
    },
    log: (plugin) => running.get(plugin)?.group.log() ?? logs.get(plugin) ?? [],
    end,
    async close() {
      closing.abort()
      stopTimer()
      await Promise.all([...running.keys()].map(end))
    },
  }
}

function programOf(entry: PluginEntry, group: PluginGroup): Pick<Running, "group" | "program"> {
  const loaded = async () => {
    const found = (await group.loaded())?.get(entry)
    if (found === undefined) throw new ProcessEnded(group.problem(entry) ?? "It was not loaded.", null)
    return found
  }
  return { group, program: { loaded, call: (asked, options) => group.call(entry, asked, options) } }
}
