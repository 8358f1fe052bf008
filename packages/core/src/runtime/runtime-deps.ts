import type { Bounds } from "../acts/bound/bounds.ts"
import type { Sandbox } from "../acts/sandbox/sandbox.ts"
import type { MachineOf } from "../acts/tool/machine.ts"
import type { Plug } from "../engine/loop/hooks.ts"
import type { ToolSource } from "../engine/loop/tool-source.ts"
import type { StoreAway } from "../ground/event/final-writes.ts"
import type { CreateId } from "../ground/id/create-id.ts"
import type { Store } from "../ground/store/index.ts"
import type { ReadForeignFile } from "../records/transfer/read-session-file.ts"
import type { ConfigProblem } from "../setup/config/config-report.ts"
import type { OverrideInput } from "../setup/config/read-config-sources.ts"
import type { Providers } from "../setup/provider/create-providers.ts"
import type { RuntimeWorkspace } from "../setup/workspace/runtime-workspace.ts"

/** How a runtime shares its store with others. */
export interface SharedStore {
  /** Names this runtime, also after a restart; no other has the name. */
  runner: string
  /** How often it reads what others stored in trees that it shows or works in (ms). */
  pollMs: number
  /** How long its turns stay its own when it no longer renews them (ms); 30 s when left out. */
  leaseMs?: number
}

export interface RuntimeDeps extends OverrideInput {
  store: Store
  providers: Providers
  createID: CreateId
  clock: () => number
  /** Random numbers in [0, 1), for the jitter of retries. */
  random: () => number
  /** Holds the full text of long tool outputs. */
  dataDirectory: string
  platform: string
  /** IANA name of the zone in which schedules are read; the host's when left out. */
  timeZone?: string
  /** Longest silence of a provider in ms. */
  providerTimeoutMs: number
  /** The service's own data, of all workspaces, which no agent changes; `dataDirectory` when left out. */
  serviceDirectory?: string
  /** What is set of the workspace; left out, nothing is and nothing can be. */
  workspace?: RuntimeWorkspace
  /** Whether somebody still belongs to the workspace; left out, nobody is ever removed. */
  isMember?(person: string): Promise<boolean>
  /** Holds the programs that sessions start; left out, these run as they are. */
  sandbox?: Sandbox
  /** Holds these programs to what they may use; left out, nothing does. */
  bounds?: Bounds
  /** Calls `onLost` with the reason when there is no store to wait for: everything that runs is stopped at once. */
  watchStore?(onLost: (reason: string) => void): void
  /** Whether what is asked of the store waits; left out, it never does. */
  storeAway?: StoreAway
  /** Set when other runtimes work on the same store; left out, it is this one's alone. */
  shared?: SharedStore
  /** What extensions see and change of turns, in their order. */
  plugs?: readonly Plug[]
  /** Where turns find tools besides Docket's own. */
  toolSources?: readonly ToolSource[]
  /** Where the tools of a session work; left out, on the machine of this process. */
  machineOf?: MachineOf
  /** What is wrong here beside what the configuration says, told where people look for that. */
  otherProblems?(): ConfigProblem[]
  /** Reads sessions that other programs wrote; left out, only Docket's own are read. */
  readForeignFile?: ReadForeignFile
  /** Hears of faults that no caller can be told of. */
  onError(error: unknown): void
}
