import { isRefusal } from "../event/endings.ts"
import type { Turn } from "../schema/index.ts"
import { type EndTurnDeps, endUnstarted } from "./end-turn.ts"
import type { BeginTurn } from "./turn-queue.ts"

/**
 * Claims a queued turn, as soon as the store takes it: what waits behind others is not lost when the store is away at
 * its moment. Null when it is not to run: it was stopped or taken meanwhile, or the process closes.
 */
export async function claimTurn(
  deps: EndTurnDeps,
  queued: Turn,
  { signal, begin }: { signal: AbortSignal; begin: BeginTurn },
): Promise<Turn | null> {
  const { id, rootID } = queued
  const tried = new Set<number>()
  const attempt = async (): Promise<Turn | null> => {
    if (signal.aborted) return null
    const now = deps.clock()
    tried.add(now)
    const claim = await deps.store.write.claimTurn(id, now)
    if (claim?.kind === "turn") {
      deps.journal.publish(claim)
      return claim.value
    }
    if (tried.size === 1) return null
    // An attempt whose outcome was not heard of may have claimed it.
    const row = await deps.store.turn.get(id)
    const isOwn = row?.status === "running" && row.epoch === queued.epoch + 1 && tried.has(row.time.started ?? 0)
    return isOwn ? row : null
  }
  try {
    const claimed = await deps.endings.store({ rootID }, () => begin(attempt))
    if (claimed === null && signal.aborted) await endUnstarted(deps, queued, signal)
    return claimed
  } catch (error) {
    if (isRefusal(error)) throw error
    // The process closes: its row stays queued, and the next process runs it.
    return null
  }
}
