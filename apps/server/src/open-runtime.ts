import {
  type AuditLog,
  createAuditLog,
  createBounds,
  createIdSource,
  createNodeService,
  createRepeated,
  createTenants,
  createWorkspaces,
  DocketError,
  type DutyWork,
  loadTurns,
  type NodeService,
  type Providers,
  type Runtime,
  type Tenants,
} from "@docket/core"
import { type Blobs, collectContents } from "@docket/core/blobs"
import { createProgramRoom } from "@docket/core/program-room"
import { localPerson } from "@docket/core/schema"
import type { LinkDirectory } from "@docket/core/store"
import { nodeTimers } from "@docket/core/timers"
import type { Trace } from "@docket/core/trace"
import type { QueuedTree } from "@docket/core/turn-engine"
import type { AccountTables, OpenedDatabase } from "@docket/db"
import { createServerRoom } from "@docket/lsp/server-room"
import type { OpenedNode, Worker } from "./nodes/open-node.ts"
import { oneProcess } from "./one-process.ts"
import { type OpenedStore, type OpenStoreOptions, openStore } from "./open-store.ts"
import type { PluginDoor } from "./plugins/plugin-door.ts"
import { createWorkspaceRuntimes, type WorkspaceRuntimes } from "./workspaces/create-workspace-runtimes.ts"
import { isMember } from "./workspaces/is-member.ts"
import { openWorkspaceRuntime } from "./workspaces/open-workspace-runtime.ts"
import { firstID, firstPlace } from "./workspaces/workspace-place.ts"

export interface OpenRuntimeOptions extends OpenStoreOptions {
  /** What is open already, and is closed with the runtime. */
  store?: OpenedStore | null
  /** Settings of this service only: paths of files, or JSON. */
  config: readonly string[]
  /** Whether users have accounts. */
  isTeam?: boolean
  /** How plugins reach the service. */
  pluginDoor?: PluginDoor
  /** The directories in which workspaces may choose their roots; null for any. */
  ceiling?: readonly string[] | null
  /** Is told what the service does; without it, nobody is. */
  trace?: Trace | undefined
  /** Is told what turns wait for, when that is late. */
  onLate?(text: string): void
}

export interface OpenedRuntime {
  /** The runtime of the first workspace; closing it closes the others and the database. */
  runtime: Runtime
  tenants: Tenants
  workspaces: WorkspaceRuntimes
  nodes: NodeService
  /** The audit log of each workspace; an in-memory store has none. */
  audit?: AuditLog | undefined
  /** Finds the tenant of a share link; an in-memory store may only have those of the first workspace. */
  links?: LinkDirectory | undefined
  /** Why the database cannot be used now; null when it can. */
  away?: (() => DocketError | null) | undefined
  /** What holds over all nodes; undefined for a process that is alone. */
  overNodes?:
    | Pick<OpenedNode, "id" | "role" | "isDraining" | "clock" | "inOrder" | "createTries" | "pageFiles">
    | undefined
  /** The account tables, for a service with accounts; an in-memory store has none. */
  accounts?: AccountTables | undefined
  /** Loads what the first turn of a project needs: the model catalogue and the provider's SDK. Never rejects. */
  warmUp(projectID: string): Promise<void>
}

/** Opens the store, applies migrations, and starts the runtime. @throws store_unavailable */
export async function openRuntime(options: OpenRuntimeOptions): Promise<OpenedRuntime> {
  const { data, config, report, onError, isTeam = false, pluginDoor, ceiling = null, trace } = options
  const { database, vaults, link, blobs, missed, watch, unreadable, close } =
    options.store ?? (await openStore(options))
  try {
    const node = await link?.join(database.nodes, { missed, onTooOld: options.onTaken })
    report("models: keys, configuration, servers on this machine")
    const clock = node?.clock ?? Date.now
    const createID = createIdSource(clock, { after: await database.newestTime() })
    const settings = await createWorkspaces({
      store: database.workspaces,
      firstID,
      dataDirectory: data,
      ceiling,
      firstProjects: async () =>
        (await database.store(firstID).project.list()).flatMap(({ directory, worktree }) => [directory, worktree]),
      clock,
      others: node && { peers: node.peersOf(ofAllWorkspaces), inOrder: node.inOrder, onError },
    })
    const { accounts, links } = database
    const belongsTo = (workspace: string, person: string) =>
      accounts === undefined ? Promise.resolve(true) : isMember(accounts, workspace, person)
    const bounds = createBounds({ platform: process.platform, clock })
    const shared = { data, database, settings, config, bounds, createID, clock, ...watch.runtime, onError }
    const serverRoom = createServerRoom()
    const mcpRoom = createProgramRoom({ most: 32, names: "MCP servers" })
    const pluginRoom = createProgramRoom({ most: 32, names: "plugin processes" })
    const workspaceDeps = {
      ...shared,
      serverRoom,
      mcpRoom,
      pluginRoom,
      pluginDoor,
      node,
      blobs,
      vaults,
      trace,
      onLate: options.onLate,
      isMember: isTeam ? belongsTo : undefined,
    }
    const storeOf = (id: string) => database.store(id).audit
    const audit = createAuditLog({ storeOf, createID, onError })
    const place = firstPlace(data)
    const { runtime: first, providers } = await openWorkspaceRuntime(workspaceDeps, firstID, {
      place,
      isShared: isTeam,
      otherProblems: unreadable.problems,
    })
    const runtime = {
      ...first,
      async close() {
        // Others go on with what runs here.
        await node?.giveBack()
        watch.end()
        await Promise.all([workspaces.close(), first.close()])
        await bounds.close()
        await audit.flushed()
        await node?.leave()
        await close()
      },
    }
    const workspaces = createWorkspaceRuntimes({ ...workspaceDeps, first: { id: firstID, runtime } })
    const local = { id: firstID, runtime }
    const tenants = createTenants({ database, local, workspaces, createID, clock, onError })
    await workspaces.finishRemovals()
    if (node === undefined) await workspaces.openWaiting()
    else {
      await node.serve(workerOf(workspaces))
      const ids = [firstID, ...workspaces.list().map(({ id }) => id)]
      await node.enqueue(await treesLeft(database, { workspaces: new Set(ids), places: node.places }))
    }
    if (node?.duties) keepOpen(workspaces, node.duties, onError)
    if (node?.duties && blobs !== null) {
      const tenants = () => [firstID, ...workspaces.list().map(({ id }) => id)]
      node.duties.rows.join(collecting({ blobs, database, tenants, clock, onError }))
    }
    const here = node === undefined ? oneProcess(createID, clock) : { id: node.id }
    const nodes = createNodeService({ database, firstID, here })
    const parts = { runtime, tenants, workspaces, nodes, audit, accounts, links, away: watch.reason, overNodes: node }
    return { ...parts, warmUp: (projectID) => warmUp(first, providers, projectID) }
  } catch (error) {
    await close()
    throw error
  }
}

/** What nodes tell each other of no workspace in particular; no workspace has this id. */
const ofAllWorkspaces = ""

/** How often a node with a duty looks for workspaces that have work (ms). */
const openMs = 1_000

/** Opens the workspaces in which others made schedules or webhooks, while this node is the one to see to these. */
function keepOpen(
  { openWaiting }: WorkspaceRuntimes,
  { files, rows }: NonNullable<OpenedNode["duties"]>,
  onError: (error: unknown) => void,
): void {
  for (const duty of [files, rows]) {
    const opening = createRepeated({ ms: openMs, timers: nodeTimers, onError }, openWaiting)
    duty.join({ begin: async () => opening.start(), end: opening.stop })
  }
}

/** How often a node with the duty removes contents that nobody needs (ms). */
const collectMs = 60 * 60_000

interface CollectingDeps {
  blobs: Blobs
  database: Pick<OpenedDatabase, "store">
  tenants(): readonly string[]
  clock: () => number
  onError(error: unknown): void
}

/** Removes from the store what no row of any workspace names, while this node has the duty. */
function collecting({ blobs, database, tenants, clock, onError }: CollectingDeps): DutyWork {
  let left = new AbortController()
  const repeated = createRepeated({ ms: collectMs, timers: nodeTimers, onError }, async () => {
    for (const tenant of new Set(tenants())) {
      if (left.signal.aborted) return
      await collectContents({ blobs, tenant, store: database.store(tenant).content, clock }, left.signal)
    }
  })
  return {
    async begin() {
      left = new AbortController()
      repeated.start()
    },
    async end() {
      left.abort()
      await repeated.stop()
    },
  }
}

/**
 * The trees at these places that may wait for a node without a job: their job was given up, or a task of theirs waits for its
 * review, which the process that ended had in its memory. For any other tree, one more job finds nothing to do.
 */
async function treesLeft(
  database: OpenedDatabase,
  { workspaces, places }: { workspaces: ReadonlySet<string>; places: readonly string[] },
): Promise<QueuedTree[]> {
  const trees: QueuedTree[] = []
  if (places.length === 0) return trees
  for (const tenant of workspaces) {
    const store = database.store(tenant)
    const open = [...(await store.turn.open()), ...(await store.task.held())]
    for (const rootID of new Set(open.map((row) => row.rootID))) {
      const place = (await store.tree.place(rootID)) ?? ""
      if (places.includes(place)) trees.push({ tenantID: tenant, rootID, place })
    }
  }
  return trees
}

/** What a node does for others: in the runtime of the workspace that it is about, which is opened for it. */
function workerOf({ runtime }: Pick<WorkspaceRuntimes, "runtime">): Worker {
  const ofWorkspace = async (id: string) => {
    const found = await runtime(id)
    if (found === null) throw new DocketError("unknown_tree", `There is no workspace ${id}.`)
    return found
  }
  return {
    work: async ({ tenantID: id, ...tree }) => (await ofWorkspace(id)).workOn(tree),
    answer: async (workspace, request) => (await ofWorkspace(workspace)).answer(request),
  }
}

async function warmUp(runtime: Runtime, providers: Providers, projectID: string): Promise<void> {
  try {
    await loadTurns()
    const { config } = await runtime.as({ person: localPerson, workspace: firstID }).config.report({ projectID })
    await providers.resolve(await providers.defaultModel(config), config)
  } catch {
    // If a model is not available, the first turn reports it.
  }
}
