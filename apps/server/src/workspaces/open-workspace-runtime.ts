import { randomInt } from "node:crypto"
import { homedir } from "node:os"
import path from "node:path"
import { createAgentPrograms } from "@docket/acp"
import { otherPrograms } from "@docket/compat"
import {
  type Bounds,
  type CreateId,
  createProviders,
  createRuntime,
  createSandbox,
  type Providers,
  type Runtime,
  type RuntimeDeps,
  rehearsalLoader,
  type SharedStore,
  type StoreAway,
  userConfigDirectory,
  type WorkspaceSettings,
} from "@docket/core"
import type { Blobs } from "@docket/core/blobs"
import type { ProgramRoom } from "@docket/core/program-room"
import type { TenantDatabase } from "@docket/core/store"
import { nodeTimers } from "@docket/core/timers"
import type { Trace } from "@docket/core/trace"
import { createDockerExecutor } from "@docket/docker"
import { createHookHost } from "@docket/hooks"
import { createLanguageServers } from "@docket/lsp"
import { createFormatters } from "@docket/lsp/formatters"
import type { ServerRoom } from "@docket/lsp/server-room"
import { createMcpServers } from "@docket/mcp"
import { createPlugins } from "@docket/plugins"
import type { OpenedNode } from "../nodes/open-node.ts"
import { eventsOfProject } from "../plugins/events-of-project.ts"
import type { PluginDoor } from "../plugins/plugin-door.ts"
import type { Vaults } from "../secrets/vaults.ts"
import type { WorkspacePlace } from "./workspace-place.ts"

/** What all workspaces of a service share. */
export interface WorkspaceRuntimeDeps {
  /** Absolute path of the service's data directory. */
  data: string
  database: Pick<TenantDatabase, "store">
  settings: WorkspaceSettings
  /** Settings of this service only: paths of files, or JSON. */
  config: readonly string[]
  /** Whether a user still belongs to a workspace; when left out, nobody is ever removed. */
  isMember?: ((workspace: string, person: string) => Promise<boolean>) | undefined
  /** Enforces resource limits on the commands of all workspaces; when left out, there are none. */
  bounds?: Bounds
  /** The places of language servers. */
  serverRoom: ServerRoom
  /** The places of MCP servers. */
  mcpRoom: ProgramRoom
  pluginRoom: ProgramRoom
  /** The secrets of all workspaces. */
  vaults: Vaults
  /** How plugins reach the service; without it, they do not. */
  pluginDoor?: PluginDoor | undefined
  /** Set for one of several nodes on the database. */
  node?: OpenedNode | undefined
  /** Is told what the runtimes do; without it, nobody is. */
  trace?: Trace | undefined
  /** Where nodes keep contents for each other. */
  blobs?: Blobs | null
  createID: CreateId
  clock: () => number
  watchStore(onLost: (reason: string) => void): void
  storeAway?: StoreAway
  /** Is told what turns wait for, when that is late. */
  onLate?: ((text: string) => void) | undefined
  onError(error: unknown): void
}

export interface OpenedWorkspace {
  runtime: Runtime
  providers: Providers
}

/** Models that think without streaming may be silent for minutes; longer means that the provider hangs (ms). */
const providerTimeoutMs = 5 * 60_000

/** How often a node reads what others stored in the trees that it shows or works on (ms): news of it may be lost. */
const pollMs = 2_000

function sharedBy(
  { id: runner, host, place, isAlive, hostsOf, peersOf, duties }: OpenedNode,
  { workspace, blobs }: { workspace: string; blobs: Blobs | null },
): SharedStore {
  return {
    ...(blobs !== null && { contents: { blobs, tenant: workspace } }),
    ...(duties !== null && { duties }),
    ...{ runner, host, pollMs, isAlive, hosts: hostsOf(workspace), peers: peersOf(workspace) },
    ...(place !== null && { place }),
  }
}

/**
 * Starts the agents of a workspace: its own services, keys and sandbox, on the service's database.
 * @param isShared whether several users work in it, so that sessions can be private
 */
export async function openWorkspaceRuntime(
  deps: WorkspaceRuntimeDeps,
  id: string,
  { place, isShared, otherProblems }: { place: WorkspacePlace; isShared: boolean } & Pick<RuntimeDeps, "otherProblems">,
): Promise<OpenedWorkspace> {
  const { data: serviceDirectory, database, settings, clock, config: commandLine, isMember, pluginDoor } = deps
  const { dataDirectory, home, env } = place
  const vault = deps.vaults.of(id)
  const { trace } = deps
  const providers = createProviders({
    ...{ dataDirectory, vault, env, home, clock, trace, loadRehearsal: rehearsalLoader() },
    // They are asked only once turns run.
    plugged: {
      list: () => plugins.providers.list(),
      models: (...given) => plugins.providers.models(...given),
      options: (...given) => plugins.providers.options(...given),
      send: (...given) => plugins.providers.send(...given),
      secrets: () => plugins.providers.secrets(),
    },
  })
  const sandboxDeps = {
    // The machine's home, not the workspace's (`home`): it holds nothing of the workspace.
    home: homedir(),
    env,
    platform: process.platform,
    dataDirectory: serviceDirectory,
    ownDirectory: dataDirectory,
    configDirectory: userConfigDirectory({ home, env }),
    clock,
  }
  const sandbox = createSandbox(sandboxDeps)
  const languageServers = createLanguageServers({
    ...{ timers: nodeTimers, now: () => performance.now(), clock },
    room: deps.serverRoom,
  })
  const mcpServers = createMcpServers({
    ...{ timers: nodeTimers, now: () => performance.now(), clock },
    createID: deps.createID,
    cacheDirectory: path.join(dataDirectory, "mcp"),
    room: deps.mcpRoom,
    packages: providers.packages,
    trace,
  })
  const plugins = createPlugins({
    ...{ timers: nodeTimers, now: () => performance.now(), clock, createID: deps.createID },
    packages: providers.packages,
    room: deps.pluginRoom,
    ...(pluginDoor && {
      ask: pluginDoor.ask(id),
      serverUrl: pluginDoor.address,
      // They are heard only once turns run.
      events: (at, signal) =>
        eventsOfProject(runtime, { caller: pluginDoor.callerIn(id), projectID: at.project.id }, signal),
    }),
    modelInfo: (ref, config) =>
      providers.resolve(ref, config).then(
        ({ info }) => info,
        () => null,
      ),
  })
  const hooks = createHookHost({
    ...{ timers: nodeTimers, now: () => performance.now(), onError: deps.onError },
    ownHooks: otherPrograms.ownHooks,
  })
  const runtime = await createRuntime({
    sandbox,
    executors: [createDockerExecutor({ ...sandboxDeps, timers: nodeTimers })],
    languageServers,
    extensions: [mcpServers, plugins, hooks],
    agentPrograms: createAgentPrograms({ timers: nodeTimers }),
    formatters: createFormatters({ timers: nodeTimers }),
    ...(deps.bounds && { bounds: deps.bounds }),
    store: database.store(id),
    providers,
    createID: deps.createID,
    clock,
    random: () => randomInt(2 ** 32) / 2 ** 32,
    dataDirectory,
    vault,
    serviceDirectory,
    workspace: settings.of(id, { isShared }),
    ...(isMember && { isMember: (person: string) => isMember(id, person) }),
    home,
    env,
    commandLine,
    platform: process.platform,
    providerTimeoutMs,
    // Loaded at first use, because few users import a session of another program.
    readForeignFile: async (text) => (await import("@docket/compat/session")).readForeignFile(text),
    programs: otherPrograms,
    watchStore: deps.watchStore,
    ...(deps.node && { shared: sharedBy(deps.node, { workspace: id, blobs: deps.blobs ?? null }) }),
    ...(deps.storeAway && { storeAway: deps.storeAway }),
    ...(trace && { trace }),
    ...(otherProblems && { otherProblems }),
    ...(deps.onLate && { onLate: deps.onLate }),
    onError: deps.onError,
  })
  const close = async () => {
    await runtime.close()
    await Promise.all([languageServers.close(), mcpServers.close()])
    await sandbox.close()
  }
  return { runtime: { ...runtime, close }, providers }
}
