import type { ExtensionHost, ExtensionPlace } from "@docket/core/extension-host"
import type { HookSet } from "@docket/core/hook-sets"
import type { ProvidedFile } from "@docket/core/other-programs"
import { type ExtensionItem, hookEvents } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import { createHookPlug } from "./create-hook-plug.ts"
import { isOn, refOf, setsIn } from "./scene.ts"

export interface HookHostDeps {
  timers: Timers
  /** ms of a clock that only goes forward. */
  now(): number
  /** The user's own hooks for other programs, which run once the user wants them. */
  ownHooks(user: { home: string }): Promise<{ files: readonly ProvidedFile[] }>
  onError(error: unknown): void
  /** Programs that run while nothing waits for them; 50 unless set. */
  mostUnawaited?: number
}

/** Lines that are kept of a file's hooks, and files. */
const mostLines = 50
const mostLogs = 200
/** Sessions that are remembered for hooks that run once in each. */
const mostOnce = 10_000

/** Runs the hooks of Claude Code's settings and of docket.json in the turns of one workspace. */
export function createHookHost(deps: HookHostDeps): ExtensionHost {
  const { mostUnawaited = 50 } = deps
  const closing = new AbortController()
  const kept = new Set<Promise<void>>()
  let unawaited = 0
  const once = new Set<string>()
  const logs = new Map<string, string[]>()
  const keyOf = (set: HookSet, place: Pick<ExtensionPlace, "project">) => JSON.stringify(refOf(set, place))
  const run = {
    closing: closing.signal,
    isFirst(sessionID: string, hook: string) {
      const key = `${sessionID} ${hook}`
      if (once.has(key)) return false
      if (once.size >= mostOnce) once.clear()
      once.add(key)
      return true
    },
    log(set: HookSet, { place }: { place: ExtensionPlace }, line: string) {
      const key = keyOf(set, place)
      const lines = [...(logs.get(key) ?? []), line].slice(-mostLines)
      logs.delete(key)
      logs.set(key, lines)
      const [oldest] = logs.keys()
      if (logs.size > mostLogs && oldest !== undefined) logs.delete(oldest)
    },
    keep(work: Promise<void>) {
      const done = work.catch(deps.onError).finally(() => kept.delete(done))
      kept.add(done)
    },
    takeRoom() {
      if (unawaited >= mostUnawaited) return null
      unawaited += 1
      return () => {
        unawaited -= 1
      }
    },
  }
  const { timers, now, ownHooks, onError } = deps
  return {
    kind: "hook",
    plug: (placeOf) => createHookPlug({ timers, now, ownHooks, onError, run }, placeOf),
    async list(place) {
      const running = (await setsIn(deps, place)).filter(({ isHeld }) => !isHeld)
      const items = running.map((set) => itemOf(set, place, logs.get(keyOf(set, place)) ?? []))
      return [...(await Promise.all(items)), ...waiting(place)]
    },
    async close() {
      closing.abort()
      await Promise.all(kept)
    },
  }
}

async function itemOf(set: HookSet, place: ExtensionPlace, log: string[]): Promise<ExtensionItem> {
  const ref = refOf(set, place)
  const isRunning = await isOn(set, place)
  const decided = await place.ledger.isOn(ref)
  // Nobody decided yet about what was set for another program.
  const state = isRunning ? "idle" : decided && set.needsConsent ? "waits" : "off"
  const origin = { file: set.file, line: set.line }
  const may = sentences(set, set.isOwn && !place.isShared ? "with your rights" : await confinedWords(place))
  return { ref, title: set.name, origin, state, may, tools: [], error: null, log }
}

/** The hooks of a project that the user does not trust yet. */
function waiting({ provided, project }: ExtensionPlace): ExtensionItem[] {
  return provided.flatMap(({ kind, trusted, name, file, notes }): ExtensionItem[] => {
    if (kind !== "hook" || trusted) return []
    const ref = { kind, name, projectID: project.id }
    return [
      {
        ...{ ref, title: name, origin: { file, line: null }, state: "waits", may: [...(notes ?? [])] },
        ...{ tools: [], error: null, log: [] },
      },
    ]
  })
}

/** Where programs of a project run here. */
async function confinedWords({ unconfined }: Pick<ExtensionPlace, "unconfined">): Promise<string> {
  const reason = await unconfined()
  return reason === null ? "in the sandbox" : `which no sandbox bounds here: ${reason.replace(/\.$/, "")}`
}

function sentences({ hooks }: HookSet, how: string): string[] {
  return hookEvents.flatMap((event) =>
    (hooks[event] ?? []).flatMap(({ matcher, hooks: handlers }) => {
      const of = matcher === undefined || matcher === "" || matcher === "*" ? "" : ` (${matcher})`
      return handlers.map((handler) => {
        if (handler.type === "http") return `Sends what agents do to ${handler.url} at ${event}${of}.`
        const command = [handler.command, ...(handler.args ?? [])].join(" ")
        return `Runs \`${command}\` at ${event}${of}, ${how}.`
      })
    }),
  )
}
