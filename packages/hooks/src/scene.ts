import type { ExtensionPlace, TurnContext } from "@docket/core/extension-host"
import { type HookSet, hookSets } from "@docket/core/hook-sets"
import type { ProvidedFile } from "@docket/core/other-programs"
import type { ExtensionRef, HookEvent, Project, Session } from "@docket/core/schema"

/** Where an event happens, and the hooks that may be told of it. */
export interface Scene {
  place: ExtensionPlace
  session: Session
  /** The sets that are on, in the order in which they are told. */
  sets: readonly HookSet[]
  /** What the turn read and wrote so far; null where no turn runs. */
  transcript: TurnContext["transcript"] | null
  agent: string
  signal: AbortSignal
}

export interface SceneDeps {
  placeOf(project: Project): Promise<ExtensionPlace>
  /** The user's own hooks for other programs. */
  ownHooks(user: { home: string }): Promise<{ files: readonly ProvidedFile[] }>
}

/** All sets of hooks in a place, whether they are on or not. */
export async function setsIn({ ownHooks }: Pick<SceneDeps, "ownHooks">, place: ExtensionPlace): Promise<HookSet[]> {
  const { project, home, isShared } = place
  // On a shared service nobody's home directory is the user's.
  const foreign = isShared ? [] : (await ownHooks({ home })).files
  return hookSets(place, foreign, { worktree: project.worktree, home })
}

export function refOf({ name, isOwn }: HookSet, { project }: Pick<ExtensionPlace, "project">): ExtensionRef {
  return { kind: "hook", name, projectID: isOwn ? null : project.id }
}

export async function isOn(set: HookSet, place: ExtensionPlace): Promise<boolean> {
  return place.ledger.isOn(refOf(set, place), { unset: set.needsConsent ? "off" : "on" })
}

export type SceneInput = Omit<Scene, "place" | "sets"> & { project: Project }

export async function sceneOf(deps: SceneDeps, { project, ...rest }: SceneInput): Promise<Scene> {
  const place = await deps.placeOf(project)
  const sets: HookSet[] = []
  for (const set of await setsIn(deps, place)) if (await isOn(set, place)) sets.push(set)
  return { ...rest, place, sets }
}

/** Whether some hook of the scene is for one of the events. */
export function hears({ sets }: Pick<Scene, "sets">, ...events: readonly HookEvent[]): boolean {
  return sets.some(({ hooks }) => events.some((event) => (hooks[event] ?? []).length > 0))
}
