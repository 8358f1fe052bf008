import type { ExtensionPlace, TurnContext } from "@docket/core/extension-host"
import type { ExtensionText } from "@docket/core/extension-text"
import type { Project } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import type { Happening, HookSaid, LateWord, RunEventDeps } from "./run-event.ts"
import { hears, type Scene, type SceneDeps, type SceneInput, sceneOf } from "./scene.ts"

export interface TellerDeps extends Pick<SceneDeps, "ownHooks"> {
  timers: Timers
  /** ms of a clock that only goes forward. */
  now(): number
  run: Omit<RunEventDeps, "timers" | "now" | "onLate">
  onError(error: unknown): void
}

/** Tells hooks what happens. */
export interface Teller {
  /** The scene of a turn; its hooks stay the same until it ends. */
  ofTurn(turn: Pick<TurnContext, "writer" | "session" | "project" | "transcript" | "agent" | "signal">): Promise<Scene>
  /** A scene without a turn. */
  beside(input: Pick<SceneInput, "session" | "project" | "agent">): Promise<Scene>
  /** The scene of the session's last turn here, if there was one. */
  last(sessionID: string): Scene | undefined
  /** Resolves with what hooks said. */
  ask(scene: Scene, happening: Happening): Promise<HookSaid[]>
  /** Nothing waits for these hooks, and the end of the turn does not stop them. */
  tell(scene: Scene, happening: Happening): void
  /** What hooks said that nothing waited for, once; with `onlyWaking` only if the agent is to go on because of it. */
  takeLate(sessionID: string, options?: { onlyWaking: boolean }): ExtensionText[]
  forget(sessionID: string): void
}

/** Sessions that are remembered. */
const mostSessions = 1_000
/** What is kept of a session's hooks that nobody waits for. */
const mostLate = 20

export function createTeller(deps: TellerDeps, placeOf: (project: Project) => Promise<ExtensionPlace>): Teller {
  const { closing } = deps.run
  const sceneDeps: SceneDeps = { placeOf, ownHooks: deps.ownHooks }
  const scenes = new WeakMap<object, Promise<Scene>>()
  const last = new Map<string, Scene>()
  const late = new Map<string, LateWord[]>()
  const onLate = (sessionID: string, word: LateWord) =>
    keep(late, sessionID, [...(late.get(sessionID) ?? []), word].slice(-mostLate))
  const ask = async (scene: Scene, happening: Happening): Promise<HookSaid[]> => {
    if (!hears(scene, happening.event)) return []
    // What runs hooks is loaded with the first of them, so that who has none pays for nothing.
    const { runEvent } = await import("./run-event.ts")
    return runEvent({ ...deps.run, timers: deps.timers, now: deps.now, onLate }, scene, happening)
  }
  return {
    ask,
    ofTurn({ session, project, transcript, agent, signal, writer }) {
      const known = scenes.get(writer)
      if (known !== undefined) return known
      const made = sceneOf(sceneDeps, { session, project, transcript, agent: agent.name, signal })
      scenes.set(writer, made)
      void made.then((scene) => keep(last, session.id, scene)).catch(() => {})
      return made
    },
    beside: (input) => sceneOf(sceneDeps, { ...input, transcript: null, signal: closing }),
    last: (sessionID) => last.get(sessionID),
    tell(scene, happening) {
      deps.run.keep(ask({ ...scene, signal: closing }, happening).then(() => {}, deps.onError))
    },
    takeLate(sessionID, { onlyWaking } = { onlyWaking: false }) {
      const words = late.get(sessionID) ?? []
      if (words.length === 0 || (onlyWaking && !words.some(({ wakes }) => wakes))) return []
      late.delete(sessionID)
      return words.map(({ by, text }) => ({ from: by, text }))
    },
    forget(sessionID) {
      last.delete(sessionID)
      late.delete(sessionID)
    },
  }
}

/** Keeps the newest. */
function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > mostSessions && oldest !== undefined) map.delete(oldest)
}
