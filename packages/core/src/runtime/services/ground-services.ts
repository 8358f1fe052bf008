import { join } from "node:path"
import { createSharedContents, type SharedContents } from "../../ground/blob/shared-contents.ts"
import { nodeTimers } from "../../ground/concurrency/timers.ts"
import { type Bus, createBus } from "../../ground/event/bus.ts"
import { createFinalWrites, type FinalWrites } from "../../ground/event/final-writes.ts"
import { createFollower, type Follower, noFollower } from "../../ground/event/follow-trees.ts"
import { createJournal, type Journal } from "../../ground/event/journal.ts"
import { createRelay, noRelay, type Relay } from "../../ground/event/relay.ts"
import { createFileVault } from "../../ground/secret/file-vault.ts"
import type { Vault } from "../../ground/secret/vault.ts"
import { noTrace, type Trace } from "../../ground/trace/trace.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import { workspaceDrawers } from "../workspace-drawers.ts"

/** What is stored, and who is notified of it. */
export interface GroundServices extends Pick<RuntimeDeps, "store" | "createID" | "clock"> {
  bus: Bus
  journal: Journal
  finalWrites: FinalWrites
  follower: Follower
  vault: Vault
  relay: Relay
  trace: Trace
  /** What nodes keep for each other; null where each host keeps its own. */
  contents: SharedContents | null
  /** Whether other runtimes work on the same store. */
  isShared: boolean
}

export function createGroundServices({ store, createID, clock, ...deps }: RuntimeDeps): GroundServices {
  const { shared, storeAway: away, trace = noTrace, onError } = deps
  const bus = createBus(onError)
  const follower =
    shared === undefined
      ? noFollower
      : createFollower({ pollMs: shared.pollMs, peers: shared.peers, store: store.feed, bus, onError })
  const relay = shared?.peers === undefined ? noRelay : createRelay({ peers: shared.peers, bus })
  const journal = createJournal({ store, bus, onStored: follower.stored })
  const finalWrites = createFinalWrites({ bus, away, onError })
  const vault = deps.vault ?? createFileVault(workspaceDrawers(deps.dataDirectory))
  const contents =
    shared?.contents === undefined
      ? null
      : createSharedContents({
          ...{ ...shared.contents, store: store.content, clock, timers: nodeTimers, onError },
          directory: join(deps.dataDirectory, "blobs"),
        })
  const isShared = shared !== undefined
  return { store, createID, clock, bus, journal, finalWrites, follower, relay, vault, trace, contents, isShared }
}
