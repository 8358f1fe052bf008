import { realpath, stat } from "node:fs/promises"
import path from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import { anywhere, type DirectoryLimits } from "../../ground/file/directory-limits.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { Caller, Workspace } from "../../ground/schema/index.ts"
import type { WorkspaceStore } from "../../ground/store/index.ts"
import type { RuntimeWorkspace, WorkspacePatch } from "./runtime-workspace.ts"

/** The settings of all workspaces of a database, which this process has to itself. */
export interface WorkspaceSettings {
  /** By id; the first workspace is among them whether it has a row or not. Without those that are being removed. */
  list(): Workspace[]
  /** Null for one that is being removed, too. */
  get(id: string): Workspace | null
  /** A workspace that may open nothing yet. @throws invalid_input for an id that cannot be one or is taken */
  create(id: string): Promise<Workspace>
  /** @throws tenant_not_found; invalid_input for roots that cannot be */
  update(id: string, patch: WorkspacePatch, by?: Caller): Promise<Workspace>
  /** From now on, and after a crash too, it is there for nobody; its directories stay taken. */
  beginRemoval(id: string): Promise<void>
  /** Ids of those whose removal began and did not end. */
  removing(): string[]
  /** Its row is gone. */
  forget(id: string): void
  /** One as its runtime sees it. */
  of(id: string, options: Pick<RuntimeWorkspace, "isShared">): RuntimeWorkspace
}

export interface WorkspaceSettingsDeps {
  store: WorkspaceStore
  /** The one that was there before any other: it opens any directory until somebody sets its roots. */
  firstID: string
  /** The service's own data: no workspace with roots opens anything of it, and none that several people share. */
  dataDirectory: string
  /** Directories of projects that the first workspace has opened: what it works in is no other's. Left out, there are none. */
  firstProjects?(): Promise<readonly string[]>
  /** The directories that any workspace may open, set by the operator: absolute paths; null for anywhere. */
  ceiling?: readonly string[] | null | undefined
  clock: () => number
}

/** Not of disks: they show the processes of the machine, with what stands in their environment. */
const kernelPlaces = ["/proc", "/sys", "/dev"]
/** Also the name of a directory, on file systems that know no case too. */
const idForm = /^[a-z0-9][a-z0-9_-]{0,62}$/
/** Roots of one workspace, and characters of one. */
const maxRoots = 100
const maxLength = 4_096

/** Reads the settings of all workspaces. */
export async function createWorkspaces(deps: WorkspaceSettingsDeps): Promise<WorkspaceSettings> {
  const { store, firstID, clock } = deps
  const known = new Map((await store.list()).map((workspace) => [workspace.id, workspace]))
  if (!known.has(firstID)) known.set(firstID, first(firstID))
  const data = await realOrResolved(deps.dataDirectory)
  const ceiling = deps.ceiling ? await Promise.all(deps.ceiling.map(realOrResolved)) : null
  let last: Promise<unknown> = Promise.resolve()
  // One after another: two workspaces that take the same root must meet.
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
  const put = async (workspace: Workspace): Promise<Workspace> => {
    await store.put(workspace)
    known.set(workspace.id, workspace)
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
      const named = othersOf(id).flatMap(({ roots }) => roots ?? [])
      // One without roots has what it opened.
      const opened = id === firstID || known.get(firstID)?.roots ? [] : ((await deps.firstProjects?.()) ?? [])
      const taken = [...named, ...opened]
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
    // Roots that were named before the ceiling was lowered open nothing outside it.
    const roots = named === null || ceiling === null ? (named ?? ceiling) : named.filter((root) => lies(ceiling, root))
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
        return put({
          id,
          roots: [],
          visibility: "workspace",
          turns: null,
          whenRemoved: "finish",
          time: { created: now, updated: now },
        })
      }),
    update,
    beginRemoval: (id) =>
      inOrder(async () => {
        const workspace = get(id)
        if (workspace !== null) await put({ ...workspace, removing: true })
      }),
    removing: () => [...known.values()].flatMap(({ id, removing }) => (removing ? [id] : [])),
    forget: (id) => void known.delete(id),
    of: (id, { isShared }) => ({
      get: () => known.get(id) ?? first(id),
      update: (patch, by) => update(id, patch, by),
      limits: () => limits(id, isShared),
      isShared,
    }),
  }
}

function first(id: string): Workspace {
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
  // Before anything tells what is there.
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

/** @throws invalid_input for what lies outside, whether it is there or not */
async function requireBelow(ceiling: readonly string[], named: string): Promise<void> {
  const real = path.isAbsolute(named) && !named.includes("\0") ? await realpathOfDeepest(named).catch(() => null) : null
  if (real !== null && lies(ceiling, real)) return
  throw invalid(`Who runs this service lets workspaces open directories in: ${ceiling.join(", ")}. Name one of those.`)
}

function lies(ceiling: readonly string[], real: string): boolean {
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
