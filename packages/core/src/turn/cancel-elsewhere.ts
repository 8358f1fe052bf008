import { pause } from "../concurrency/pause.ts"
import type { Journal } from "../event/journal.ts"
import { LimitReached } from "../loop/stop-reason.ts"
import type { Turn } from "../schema/index.ts"
import type { Mutation, Store } from "../store/index.ts"
import type { Leases } from "./leases.ts"

/** How often (ms) the rows are looked at while another runtime stops its turns. */
const lookMs = 50

export interface CancelDeps {
  store: Pick<Store, "turn">
  journal: Journal
  leases: Leases
  clock: () => number
}

/**
 * Asks the other runtimes that run turns of these sessions to stop them, through the rows of the sessions. Resolves
 * when all have ended or their owners live no more.
 */
export async function cancelElsewhere(
  deps: CancelDeps,
  rootID: string,
  { sessionIDs, reason }: { sessionIDs: ReadonlySet<string>; reason: Error },
): Promise<void> {
  const running = async (): Promise<Turn[]> =>
    (await deps.store.turn.open({ rootID })).filter(
      (turn) => sessionIDs.has(turn.sessionID) && deps.leases.isElsewhere(turn),
    )
  const told = new Set<string>()
  const limit = reason instanceof LimitReached ? reason.message : null
  const patch = ({ id, sessionID }: Turn): Mutation => ({
    kind: "session.patch",
    sessionID,
    patch: { abortedAt: deps.clock(), stop: { turnID: id, limit } },
  })
  for (let turns = await running(); turns.length > 0; turns = await running()) {
    const fresh = turns.filter(({ id }) => !told.has(id))
    for (const { id } of fresh) told.add(id)
    if (fresh.length > 0) await deps.journal.commit(rootID, fresh.map(patch))
    await pause(lookMs, new AbortController().signal)
  }
}
