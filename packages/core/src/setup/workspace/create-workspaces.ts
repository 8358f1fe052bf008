import { realpath, stat } from "node:fs/promises"
import path from "node:path"
import { createKeyedQueue, type InOrder } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Peers } from "../../ground/event/peers.ts"
import { anywhere, type DirectoryLimits } from "../../ground/file/directory-limits.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { Caller, Workspace } from "../../ground/schema/index.ts"
import type { WorkspaceStore } from "../../ground/store/index.ts"
import type { RuntimeWorkspace, WorkspacePatch } from "./runtime-workspace.ts"

/** The settings of all workspaces of a database. */
export interface WorkspaceSettings {
  /** By id, without those being removed; the first workspace is included even without a row. */
  list(): Workspace[]
  /** Null also for a workspace that is being removed. */
  get(id: string): Workspace | null
  /** Creates a workspace without any roots yet. @throws invalid_input for an invalid or used id */
  create(id: string): Promise<Workspace>
  /** @throws tenant_not_found; invalid_input for invalid roots */
  update(id: string, patch: WorkspacePatch, by?: Caller): Promise<Workspace>
  /** Hides the workspace from now on, even after a crash; its directories stay reserved. */
  beginRemoval(id: string): Promise<void>
  /** Ids of workspaces whose removal has begun but not ended. */
  removing(): string[]
  /** Call it when the row is gone. */
  forget(id: string): void
  /** Calls the listener when another process has made, changed or removed a workspace. */
  onChanged(listener: () => void): void
  /** A workspace for its runtime. */
  of(id: string, options: Pick<RuntimeWorkspace, "isShared">): RuntimeWorkspace
}

export interface WorkspaceSettingsDeps {
  store: WorkspaceStore
  /** The original workspace: it may open any directory until its roots are set. */
  firstID: string
  /** The service's own data. No workspace with roots may open it, and no shared one. */
  dataDirectory: string
  /** Directories of projects opened by the first workspace; no other workspace may take them. Omit it for none. */
  firstProjects?(): Promise<readonly string[]>
  /** The directories that any workspace may open, set by the operator: absolute paths; null for anywhere. */
  ceiling?: readonly string[] | null | undefined
  clock: () => number
  /** Other processes that change the same settings; undefined for none. */
  others?: { peers: Peers; inOrder: InOrder; onError(error: unknown): void } | undefined
}

/** Not on disk: they show the machine's processes with their environment. */
const kernelPlaces = ["/proc", "/sys", "/dev"]
/** Also a valid directory name, even on file systems that ignore case. */
const idForm = /^[a-z0-9][a-z0-9_-]{0,62}$/
/** Most roots of one workspace, and most characters of one root. */
const maxRoots = 100
const maxLength = 4_096

/** Reads the settings of all workspaces. */
export async function createWorkspaces(deps: WorkspaceSettingsDeps): Promise<WorkspaceSettings> {
  const { store, firstID, clock, others } = deps
  const known = new Map<string, Workspace>()
  const read = async () => {
    const rows = await store.list()
    known.clear()
    known.set(firstID, initial(firstID))
    for (const workspace of rows) known.set(workspace.id, workspace)
  }
  await read()
  const data = await realOrResolved(deps.dataDirectory)
  const ceiling = deps.ceiling ? await Promise.all(deps.ceiling.map(realOrResolved)) : null
  const queue = others?.inOrder ?? createKeyedQueue()
  // One after another, so that two workspaces cannot take the same root.
  const inOrder = <T>(work: () => Promise<T>): Promise<T> =>
    queue("workspaces", async () => {
      if (others !== undefined) await read()
      return work()
    })
  const listeners = new Set<() => void>()
  others?.peers.listen((news) => {
    if (news !== null && news.kind !== "workspaces") return
    read().then(() => {
      for (const listener of listeners) listener()
    }, others.onError)
  })
  const tell = () => others?.peers.tell({ kind: "workspaces" })
  const put = async (workspace: Workspace): Promise<Workspace> => {
    await store.put(workspace)
    known.set(workspace.id, workspace)
    tell()
    return workspace
  }
  const othersOf = (id: string) => [...known.values()].filter((other) => other.id !== id)
  const get = (id: string) => {
    const found = known.get(id)
    return found === undefined || found.removing ? null : found
  }
  const update = (id: string, patch: WorkspacePatch, by?: Caller) =>
    inOrder(async () => {
      const before = get(id)
      if (before === null) throw new DocketError("tenant_not_found", `There is no workspace "${id}".`)
      const ofOthers = othersOf(id).flatMap(({ roots }) => roots ?? [])
      // A first workspace without roots owns the directories of its projects.
      const opened = id === firstID || known.get(firstID)?.roots ? [] : ((await deps.firstProjects?.()) ?? [])
      const taken = [...ofOthers, ...opened]
      const roots = patch.roots ? await realRoots(patch.roots, { taken, data, ceiling }) : patch.roots
      if (roots === null && id !== firstID)
        throw invalid("Name the directories that this workspace may open; only the first workspace may open any.")
      const given = Object.entries({ ...patch, roots }).filter(([, value]) => value !== undefined)
      const now = clock()
      const created = before.time.created || now
      return put({ ...before, ...Object.fromEntries(given), ...(by && { by }), time: { created, updated: now } })
    })
  const limits = (id: string, isShared: boolean): DirectoryLimits => {
    const named = known.get(id)?.roots ?? (id === firstID ? null : [])
    // Roots set before the ceiling was lowered do not count outside it.
    const roots =
      named === null || ceiling === null ? (named ?? ceiling) : named.filter((root) => liesIn(ceiling, root))
    const others = othersOf(id).flatMap((other) => other.roots ?? [])
    if (roots === null && others.length === 0 && !isShared) return anywhere
    const ownData = roots === null && !isShared ? [] : [data]
    return { roots, others: [...others, ...ownData, ...kernelPlaces] }
  }
  return {
    list: () => [...known.values()].filter(({ removing }) => !removing).sort((a, b) => (a.id < b.id ? -1 : 1)),
    get,
    create: (id) =>
      inOrder(async () => {
        if (!idForm.test(id)) throw invalid(`"${id}" cannot name a workspace: use lower-case letters, digits, - and _.`)
        if (known.has(id)) throw invalid(`There is a workspace "${id}" already.`)
        const now = clock()
        return put({ ...initial(id), roots: [], time: { created: now, updated: now } })
      }),
    update,
    beginRemoval: (id) =>
      inOrder(async () => {
        const workspace = get(id)
        if (workspace !== null) await put({ ...workspace, removing: true })
      }),
    removing: () => [...known.values()].flatMap(({ id, removing }) => (removing ? [id] : [])),
    forget(id) {
      known.delete(id)
      tell()
    },
    onChanged: (listener) => void listeners.add(listener),
    of: (id, { isShared }) => ({
      get: () => known.get(id) ?? initial(id),
      update: (patch, by) => update(id, patch, by),
      limits: () => limits(id, isShared),
      isShared,
    }),
  }
}

/** A workspace with default settings. */
function initial(id: string): Workspace {
  return {
    id,
    roots: null,
    visibility: "workspace",
    turns: null,
    whenRemoved: "finish",
    time: { created: 0, updated: 0 },
  }
}

/** @throws invalid_input */
async function realRoots(
  named: readonly string[],
  { taken, data, ceiling }: { taken: readonly string[]; data: string; ceiling: readonly string[] | null },
): Promise<string[]> {
  if (named.length > maxRoots) throw invalid(`A workspace has at most ${maxRoots} directories.`)
  // Checked first, so that nothing is revealed about what exists there.
  if (ceiling !== null) for (const root of named) await requireBelow(ceiling, root)
  const roots = await Promise.all(named.map(realRoot))
  for (const root of roots) {
    if (isWithin(data, root)) throw invalid(`${root} lies in Docket's own data.`)
    if (kernelPlaces.some((place) => isWithin(place, root)))
      throw invalid(`${root} belongs to the system: what is there shows processes and devices, and Docket's own.`)
    if (taken.some((other) => isWithin(other, root) || isWithin(root, other)))
      throw invalid(`${root} overlaps with a directory of another workspace. Each directory belongs to one workspace.`)
  }
  return [...new Set(roots)].filter((root) => !roots.some((other) => other !== root && isWithin(other, root))).sort()
}

/** @throws invalid_input for a path outside, whether it exists or not */
async function requireBelow(ceiling: readonly string[], named: string): Promise<void> {
  const real = path.isAbsolute(named) && !named.includes("\0") ? await realpathOfDeepest(named).catch(() => null) : null
  if (real !== null && liesIn(ceiling, real)) return
  throw invalid(`Who runs this service lets workspaces open directories in: ${ceiling.join(", ")}. Name one of those.`)
}

function liesIn(ceiling: readonly string[], real: string): boolean {
  return ceiling.some((directory) => isWithin(directory, real))
}

function realOrResolved(directory: string): Promise<string> {
  return realpath(directory).catch(() => path.resolve(directory))
}

async function realRoot(named: string): Promise<string> {
  if (!path.isAbsolute(named) || named.length > maxLength || named.includes("\0"))
    throw invalid(`Name a directory by its whole path: ${JSON.stringify(named.slice(0, 200))} is none.`)
  const real = await realpath(named).catch(() => null)
  const isThere = real !== null && (await stat(real).catch(() => null))?.isDirectory()
  if (real === null || !isThere) throw invalid(`There is no directory ${named}.`)
  return real
}

function invalid(message: string): DocketError {
  return new DocketError("invalid_input", message)
}
