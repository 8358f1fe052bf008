import { join } from "node:path"
import { createWorktrees, type Worktrees } from "../../engine/delegation/worktrees.ts"
import { createSessionNotes, type SessionNotes } from "../../engine/loop/session-notes.ts"
import { createTranscriptCache, type TranscriptCache } from "../../engine/loop/transcript.ts"
import { createRepositories, type Repositories } from "../../engine/repository/create-repositories.ts"
import { createSnapshots, type Snapshots } from "../../engine/snapshot/create-snapshots.ts"
import { createFileWindows, type FileWindows } from "../../engine/snapshot/file-windows.ts"
import { createSnapshotPacks } from "../../engine/snapshot/snapshot-packs.ts"
import { createLeases, type Leases } from "../../engine/turn/leases.ts"
import { createHeartbeat, type Heartbeat } from "../heartbeat.ts"
import { outputRootOf } from "../output-root.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import type { GroundServices } from "./ground-services.ts"
import type { SetupServices } from "./setup-services.ts"

/** Transcripts kept in memory between turns. */
const keptTranscripts = 8

/** What turns work with. */
export interface EngineServices {
  outputRoot: string
  planRoot: string
  heartbeat: Heartbeat
  leases: Leases
  notes: SessionNotes
  transcripts: TranscriptCache
  worktrees: Worktrees
  repositories: Repositories
  snapshots: Snapshots
  fileWindows: FileWindows
}

export function createEngineServices(
  { dataDirectory, env, shared, onError }: RuntimeDeps,
  { store, journal, createID, clock, isShared, contents }: GroundServices,
  { mirrors, checkouts, projects }: SetupServices,
): EngineServices {
  return {
    outputRoot: outputRootOf({ dataDirectory }),
    planRoot: join(dataDirectory, "plans"),
    heartbeat: createHeartbeat({ file: join(dataDirectory, "last-sign"), clock }),
    leases: createLeases({ clock, shared }),
    notes: createSessionNotes({ store, journal, createID, isShared }),
    transcripts: createTranscriptCache(keptTranscripts),
    worktrees: createWorktrees({ root: join(dataDirectory, "worktrees"), env }),
    repositories: createRepositories({
      ...{ store, journal, mirrors, checkouts, env, clock, onError },
      kept: join(dataDirectory, "repositories/kept"),
      ...{ rowOf: projects.row, root: join(dataDirectory, "worktrees"), host: shared?.host ?? "" },
    }),
    snapshots: createSnapshots({
      ...{ clock, env, dataDirectory, root: join(dataDirectory, "snapshots"), onError },
      packs: contents !== null && hasOtherHosts(shared) ? createSnapshotPacks({ contents, clock, onError }) : null,
    }),
    fileWindows: createFileWindows(),
  }
}

/** Whether other hosts have the directories of this one: they may take over its trees. */
function hasOtherHosts(shared: RuntimeDeps["shared"]): boolean {
  return shared?.place !== undefined && !shared.place.startsWith("host:")
}
