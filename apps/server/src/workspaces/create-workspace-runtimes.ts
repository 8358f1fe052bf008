import { mkdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { DocketError, type Runtime } from "@docket/core"
import type { Workspace } from "@docket/core/schema"
import type { TenantDatabase } from "@docket/core/store"
import { openWorkspaceRuntime, type WorkspaceRuntimeDeps } from "./open-workspace-runtime.ts"
import { placeOf } from "./workspace-place.ts"

/** The runtimes of all workspaces of a service. */
export interface WorkspaceRuntimes {
  /** Opened when it is first asked for; null for what is no workspace. A failure is tried again by the next who ask. */
  runtime(id: string): Runtime | null | Promise<Runtime | null>
  /** Makes a workspace that may open no directory yet. @throws invalid_input */
  create(id: string): Promise<Workspace>
  /** Stops its agents and removes its rows, tokens and files. @throws invalid_input for the first workspace */
  remove(id: string): Promise<void>
  /** Opens those in which turns or schedules wait; one that cannot be opened is told of and left. */
  openWaiting(): Promise<void>
  /** Stops all agents but those of the first workspace. */
  close(): Promise<void>
}

export interface WorkspaceRuntimesDeps extends WorkspaceRuntimeDeps {
  database: TenantDatabase
  /** The workspace that is there from the start. */
  first: { id: string; runtime: Runtime }
}

export function createWorkspaceRuntimes(deps: WorkspaceRuntimesDeps): WorkspaceRuntimes {
  const { settings, database, data, first } = deps
  const opening = new Map<string, Promise<Runtime>>()
  const opened = new Map<string, Runtime>()
  const removing = new Set<string>()
  let isClosed = false
  const open = (id: string): Promise<Runtime> => {
    const known = opening.get(id)
    if (known !== undefined) return known
    const place = placeOf(data, id)
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
  return {
    runtime(id) {
      if (id === first.id) return first.runtime
      if (isClosed || removing.has(id) || settings.get(id) === null) return null
      return opened.get(id) ?? open(id)
    },
    create: settings.create,
    async remove(id) {
      if (id === first.id) {
        const message = `The workspace "${id}" is the one that this service began with; it cannot be removed.`
        throw new DocketError("invalid_input", message)
      }
      removing.add(id)
      try {
        await shut(id)
        await database.tenants.remove(id)
        if (settings.get(id) === null) return
        settings.forget(id)
        await rm(placeOf(data, id).dataDirectory, { recursive: true, force: true })
      } finally {
        removing.delete(id)
      }
    },
    async openWaiting() {
      const waiting = (await database.workspaces.withWork()).filter((id) => id !== first.id)
      await Promise.all(waiting.map((id) => open(id).catch(deps.onError)))
    },
    async close() {
      isClosed = true
      await Promise.all([...opening.keys()].map((id) => shut(id).catch(deps.onError)))
    },
  }
}
