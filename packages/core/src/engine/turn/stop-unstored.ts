import type { Turn } from "../../ground/schema/index.ts"
import type { PendingMarks } from "../../records/session/pending-marks.ts"
import { StoppedByUser } from "../loop/stop-reason.ts"
import type { TreeWork } from "./tree-work.ts"
import type { TurnLanes } from "./turn-lanes.ts"

export interface StopUnstoredDeps extends TreeWork {
  lanes: Pick<TurnLanes, "abandon">
  stopMarks: Pick<PendingMarks, "add">
  onError(error: unknown): void
}

/**
 * Stops what this process runs in a session and under it, whatever the rows say. The ends are stored by those who run it.
 * @param known the sessions under it; null when the store does not say, and then the turns do
 */
export async function stopUnstored(
  deps: StopUnstoredDeps,
  { sessionID, known, reason }: { sessionID: string; known: ReadonlySet<string> | null; reason: Error },
): Promise<void> {
  const isUnder = (turn: Turn) =>
    known?.has(turn.sessionID) ?? (turn.sessionID === sessionID || turn.rootID === sessionID)
  const turns = deps.lanes.abandon(isUnder, reason)
  const ids = [...(known ?? new Set([sessionID, ...turns.map((turn) => turn.sessionID)]))]
  deps.tasks.stopUnder(ids, reason).catch(deps.onError)
  deps.commands.endBackground(ids).catch(deps.onError)
  if (!(reason instanceof StoppedByUser)) return
  await Promise.all(turns.map((turn) => deps.stopMarks.add(turn.id))).catch(deps.onError)
}
