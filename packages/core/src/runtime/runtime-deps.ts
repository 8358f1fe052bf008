import type { Bounds } from "../acts/bound/bounds.ts"
import type { Sandbox } from "../acts/sandbox/sandbox.ts"
import type { Executor } from "../acts/tool/executor.ts"
import type { Formatters } from "../acts/tool/formatters.ts"
import type { LanguageServers } from "../acts/tool/language-servers.ts"
import type { ExtensionHost } from "../engine/extension/extension-host.ts"
import type { AgentPrograms } from "../engine/program/agent-programs.ts"
import type { Blobs } from "../ground/blob/blobs.ts"
import type { Duties } from "../ground/concurrency/duty.ts"
import type { Timers } from "../ground/concurrency/timers.ts"
import type { StoreAway } from "../ground/event/final-writes.ts"
import type { Peers } from "../ground/event/peers.ts"
import type { CreateId } from "../ground/id/create-id.ts"
import type { Place } from "../ground/schema/index.ts"
import type { Vault } from "../ground/secret/vault.ts"
import type { Store } from "../ground/store/index.ts"
import type { Trace } from "../ground/trace/trace.ts"
import type { ReadForeignFile } from "../records/transfer/read-session-file.ts"
import type { ConfigProblem } from "../setup/config/config-report.ts"
import type { OverrideInput } from "../setup/config/read-config-sources.ts"
import type { Providers } from "../setup/provider/create-providers.ts"
import type { RuntimeWorkspace } from "../setup/workspace/runtime-workspace.ts"
import type { HostLink } from "./host-calls.ts"

/** How a runtime shares its store with others. */
export interface SharedStore {
  /** A unique name of this runtime that survives a restart. */
  runner: string
  /** How often it reads what others stored in trees that are shown or run here (ms), when none of these tells of changes before. */
  pollMs: number
  /** What runtimes tell each other; without it, only rows say what others do. */
  peers?: Peers
  /** How long its turns stay its own without a renewal (ms); default 30 s. */
  leaseMs?: number
  /**
   * Set for a node: whether the node of that name lives. A node runs nothing by itself, but works on the trees that an
   * engine brings (`Runtime.workOn`). Without it, leases tell who lives, and each runtime runs its own prompts.
   */
  isAlive?(runner: string): boolean
  /** Where the files of the projects are that are opened here. */
  place?: Place
  /** The id of this node's host. */
  host?: string
  /** The hosts of other nodes; without it, this one has all files. */
  hosts?: HostLink
  /** Where nodes keep contents for each other, and whose these are; without it, each host has its own alone. */
  contents?: { blobs: Blobs; tenant: string }
  /** What one node at a time does for all; without it, this one does it whenever it is there. */
  duties?: Duties
}

export interface RuntimeDeps extends OverrideInput {
  store: Store
  providers: Providers
  createID: CreateId
  /** Epoch ms. Runtimes that share a store have one clock: they compare the times of each other's rows with it. */
  clock: () => number
  /** Random numbers in [0, 1), for the jitter of retries. */
  random: () => number
  /** Directory of the workspace's data outside the store: long outputs, plans, worktrees, snapshots, marker files. */
  dataDirectory: string
  /** The secrets of the workspace; default: in files of `dataDirectory`. */
  vault?: Vault | undefined
  platform: string
  /** IANA name of the time zone for schedules; default: that of the host. */
  timeZone?: string
  /** Longest silence of a provider (ms). */
  providerTimeoutMs: number
  /** The service's own data of all workspaces, which no agent may change; default `dataDirectory`. */
  serviceDirectory?: string
  /** The settings of the workspace; without it, there are none and none can be changed. */
  workspace?: RuntimeWorkspace
  /** Whether a person still belongs to the workspace; without it, nobody is ever removed. */
  isMember?(person: string): Promise<boolean>
  /** Confines the programs that sessions start; without it, they run unconfined. */
  sandbox?: Sandbox
  /** Limits the resources of these programs; without it, they are unlimited. */
  bounds?: Bounds
  /** Checks files that agents write; without it, nothing does. */
  languageServers?: LanguageServers
  /** Formats what agents write; without it, nothing does. */
  formatters?: Formatters
  /** Calls `onLost` with the reason when the store is lost for good: everything that runs stops at once. */
  watchStore?(onLost: (reason: string) => void): void
  /** Tells whether requests to the store have to wait; without it, they never do. */
  storeAway?: StoreAway
  /** Set when other runtimes work on the same store; without it, this is the only one. */
  shared?: SharedStore
  /** What runs extensions, by kind, in the order in which their hooks are asked. */
  extensions?: readonly ExtensionHost[]
  /** Runs the programs of other people that are agents; without it, none can work. */
  agentPrograms?: AgentPrograms
  /** What opens the places where tools of sessions work; the machine of this process is one unless another `local` is. */
  executors?: readonly Executor[]
  /** Problems besides those of the configuration, shown in the same place. */
  otherProblems?(): ConfigProblem[]
  /** Reads sessions of other programs; without it, only Docket's own are read. */
  readForeignFile?: ReadForeignFile
  /** Is told what the runtime does; without it, nobody is. */
  trace?: Trace
  /** Calls functions later; without it, timers of Node do. */
  timers?: Timers
  /** Is told what a turn waits for, when that is late: kinds of things, never what was said. */
  onLate?(text: string): void
  /** Receives errors that no caller can be told about. */
  onError(error: unknown): void
}
