import type { MessageWithParts, Project, Session } from "../../ground/schema/index.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import type { SnapshotPlace, Snapshots } from "../snapshot/create-snapshots.ts"
import type { CountedChange, SnapshotPair } from "../snapshot/read-changes.ts"
import { SnapshotError } from "../snapshot/snapshot-error.ts"
import { pairOf } from "./step-changes.ts"

export interface ReadStepsDeps {
  snapshots: Pick<Snapshots, "countedChanges" | "patch">
  onError(error: unknown): void
}

/** What the snapshots of steps say, by message. */
export async function readSteps(
  deps: ReadStepsDeps,
  project: Project,
  { sessions, messages }: { sessions: ReadonlyMap<string, Session>; messages: readonly MessageWithParts[] },
): Promise<Map<string, CountedChange[] | null>> {
  const read = new Map<string, CountedChange[] | null>()
  if (!project.git) return read
  const steps = messages.flatMap(({ info, parts }) => {
    const pair = pairOf({ info, parts })
    const session = sessions.get(info.sessionID)
    return pair === null || session === undefined
      ? []
      : [{ id: info.id, pair, place: workingProject(session, project) }]
  })
  for (const group of Map.groupBy(steps, ({ place }) => place.worktree).values()) {
    const place = group[0]?.place
    if (place === undefined) continue
    const changes = await readPairs(
      deps,
      place,
      group.map(({ pair }) => pair),
    )
    for (const [index, { id }] of group.entries()) read.set(id, changes[index] ?? null)
  }
  return read
}

/** Snapshots that cannot be read, also of a worktree that is gone, are the same as none. */
async function readPairs(
  { snapshots, onError }: ReadStepsDeps,
  place: SnapshotPlace,
  pairs: SnapshotPair[],
): Promise<(CountedChange[] | null)[]> {
  try {
    return await snapshots.countedChanges(place, pairs)
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    onError(error)
    return []
  }
}
