import { mkdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { DocketError, type Runtime } from "@docket/core"
import type { Workspace } from "@docket/core/schema"
import type { TenantDatabase } from "@docket/core/store"
import { openWorkspaceRuntime, type WorkspaceRuntimeDeps } from "./open-workspace-runtime.ts"
import { placeOfWorkspace } from "./workspace-place.ts"

/** The runtimes of all workspaces of a service. */
export interface WorkspaceRuntimes {
  /** Opened at first use; null when there is no such workspace. After a failure, the next call tries again. */
  runtime(id: string): Runtime | null | Promise<Runtime | null>
  /** Creates a workspace that may not open any directory yet. @throws invalid_input */
  create(id: string): Promise<Workspace>
  /**
   * Stops its agents and removes its files, then its rows, tokens, members and keys. It is inaccessible from the first
   * moment on; after a crash, the next start completes the removal. @throws invalid_input for the first workspace
   */
  remove(id: string): Promise<void>
  /** Completes removals that a crash interrupted; a failure is reported and left for the next start. */
  finishRemovals(): Promise<void>
  /** The existing workspaces, by id. */
  list(): Workspace[]
  /** Opens the workspaces with waiting turns or schedules; a failure is reported. */
  openWaiting(): Promise<void>
  /** Stops all agents except those of the first workspace. */
  close(): Promise<void>
}

export interface WorkspaceRuntimesDeps extends WorkspaceRuntimeDeps {
  database: TenantDatabase
  /** The workspace that exists from the start. */
  first: { id: string; runtime: Runtime }
}

/** Other nodes hear within this time (ms) that a workspace is being removed, and stop what they do in it. */
const heardWithinMs = 2_000

export function createWorkspaceRuntimes(deps: WorkspaceRuntimesDeps): WorkspaceRuntimes {
  const { settings, database, data, first } = deps
  /** By id; a runtime that was opened stays in it until it is shut. */
  const opening = new Map<string, Promise<Runtime>>()
  const opened = new Map<string, Runtime>()
  const removals = new Map<string, Promise<void>>()
  let isClosed = false
  const open = (id: string): Promise<Runtime> => {
    const known = opening.get(id)
    if (known !== undefined) return known
    const place = placeOfWorkspace(data, id)
    const work = (async () => {
      mkdirSync(place.dataDirectory, { recursive: true, mode: 0o700 })
      const { runtime } = await openWorkspaceRuntime(deps, id, { place, isShared: true })
      opened.set(id, runtime)
      return runtime
    })()
    opening.set(id, work)
    work.catch(() => opening.delete(id))
    return work
  }
  const shut = async (id: string): Promise<void> => {
    const runtime = await opening.get(id)?.catch(() => null)
    opening.delete(id)
    opened.delete(id)
    await runtime?.close()
  }
  const removeFiles = (id: string) => rm(placeOfWorkspace(data, id).dataDirectory, { recursive: true, force: true })
  // Another node removes it.
  settings.onChanged(() => {
    for (const id of opening.keys())
      if (settings.get(id) === null && !removals.has(id))
        shut(id)
          .then(() => removeFiles(id))
          .catch(deps.onError)
  })
  const removeTenant = async (id: string): Promise<void> => {
    await deps.blobs?.removeTenant(id)
    await database.tenants.remove(id)
  }
  const clear = async (id: string): Promise<void> => {
    await removeFiles(id)
    // These rows go last: one of them marks the removal, so that the next start completes it after a crash.
    await removeTenant(id)
    settings.forget(id)
  }
  const removeWhole = async (id: string): Promise<void> => {
    await settings.beginRemoval(id)
    await shut(id)
    if (deps.node !== undefined) await delay(heardWithinMs)
    // A tenant that is no workspace has rows, but no settings and files.
    if (settings.removing().includes(id)) await clear(id)
    else await removeTenant(id)
  }
  return {
    list: settings.list,
    runtime(id) {
      if (id === first.id) return first.runtime
      if (isClosed || settings.get(id) === null) return null
      return opened.get(id) ?? open(id)
    },
    create: settings.create,
    async remove(id) {
      if (id === first.id) {
        const message = `The workspace "${id}" is the one that this service began with; it cannot be removed.`
        throw new DocketError("invalid_input", message)
      }
      const removal = removals.get(id) ?? removeWhole(id).finally(() => removals.delete(id))
      removals.set(id, removal)
      await removal
    },
    async finishRemovals() {
      for (const id of settings.removing()) await clear(id).catch(deps.onError)
    },
    async openWaiting() {
      if (settings.list().every(({ id }) => id === first.id)) return
      const waiting = (await database.workspaces.withWork()).filter(
        (id) => id !== first.id && settings.get(id) !== null,
      )
      await Promise.all(waiting.map((id) => open(id).catch(deps.onError)))
    },
    async close() {
      isClosed = true
      await Promise.all([...opening.keys()].map((id) => shut(id).catch(deps.onError)))
    },
  }
}
