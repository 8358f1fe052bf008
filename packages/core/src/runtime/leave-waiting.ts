import type { Tasks } from "../engine/delegation/tasks.ts"
import { findWaitingTurns } from "../engine/turn/waiting-turns.ts"
import type { Services } from "./create-services.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

/**
 * Leaves work that waits for a person as a crash would, before the process ends, so that the next process continues it.
 * This process stores nothing more of that work.
 */
export async function leaveWaiting(
  { onError }: Pick<RuntimeDeps, "onError">,
  { store, journal, leases, broker }: Services,
  tasks: Pick<Tasks, "leave">,
): Promise<void> {
  try {
    const own = (await store.turn.open()).filter(leases.isOwn)
    const waiting = await findWaitingTurns(store, own)
    if (waiting.turns.size === 0) return
    broker.close()
    tasks.leave(waiting.tasks)
    for (const { owner: _, ...turn } of own.filter(({ id }) => waiting.turns.has(id))) {
      // Gives the turn up: it has no owner, and its new epoch refuses later writes of this process.
      const value = { ...turn, epoch: turn.epoch + 1 }
      await journal.commit(turn.rootID, [{ kind: "turn", value }], { turnID: turn.id, epoch: turn.epoch })
    }
  } catch (error) {
    // The work then ends with the process.
    onError(error)
  }
}
