import { pause } from "../../ground/concurrency/pause.ts"
import { isRefusal } from "../../ground/event/endings.ts"
import type { Turn } from "../../ground/schema/index.ts"
import { ServiceStopping } from "../loop/stop-reason.ts"
import { type EndTurnDeps, endUnstarted } from "./end-turn.ts"
import type { BeginTurn } from "./turn-lanes.ts"
import type { TurnQueue } from "./turn-queue.ts"

export type ClaimTurnDeps = EndTurnDeps & { queue: Pick<TurnQueue, "claim"> }

/** How long (ms) a turn that has to wait is not looked at when nothing is heard of the one before it. */
const lookMs = 1_000

/**
 * Claims a queued turn, as soon as the store takes it: what waits behind others is not lost when the store is away at
 * its moment. Null when it is not to run here: it was stopped, another runtime took it and has ended it, or the process
 * closes.
 */
export async function claimTurn(
  deps: ClaimTurnDeps,
  queued: Turn,
  { signal, begin }: { signal: AbortSignal; begin: BeginTurn },
): Promise<Turn | null> {
  const tried = new Set<number>()
  try {
    while (true) {
      const outcome = await claimOnce(deps, queued, { signal, begin, tried })
      if (outcome !== "later") return outcome
      await turnEnded(deps, queued.sessionID, signal)
      // Its row stays queued: the next process runs it, or another runtime.
      if (signal.reason instanceof ServiceStopping) return null
    }
  } catch (error) {
    if (isRefusal(error)) throw error
    // The process closes: its row stays queued, and the next process runs it.
    return null
  }
}

async function claimOnce(
  deps: ClaimTurnDeps,
  queued: Turn,
  { signal, begin, tried }: { signal: AbortSignal; begin: BeginTurn; tried: Set<number> },
): Promise<Turn | null | "later"> {
  let mustWait = false
  const attempt = async (): Promise<Turn | null> => {
    mustWait = false
    const claim = signal.aborted ? null : await deps.queue.claim(queued, tried)
    mustWait = claim === "wait"
    return claim === "wait" ? null : claim
  }
  const claimed = await deps.endings.store({ rootID: queued.rootID }, () => begin(attempt))
  if (claimed !== null) return claimed
  if (!signal.aborted) return mustWait ? "later" : null
  await endUnstarted(deps, queued, signal)
  return null
}

/** Resolves when a turn of the session is told to have ended, after a while, or when the signal aborts. */
async function turnEnded({ bus }: Pick<EndTurnDeps, "bus">, sessionID: string, signal: AbortSignal): Promise<void> {
  const heard = new AbortController()
  const stop = bus.subscribe((event) => {
    if (event.type !== "turn.updated") return
    const { turn } = event.properties
    if (turn.sessionID === sessionID && turn.status !== "running") heard.abort()
  })
  await pause(lookMs, AbortSignal.any([signal, heard.signal])).finally(stop)
}
