import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Turn, TurnOwner } from "../../ground/schema/index.ts"

/** How long a turn is its owner's without a renewal (ms). It is renewed after a third of it. */
const usualLease = 30_000

interface LeaseDeps {
  clock: () => number
  timers?: Timers
  /** Set when other runtimes work on the store: the name of this one, and how long its leases hold (ms). */
  shared?: { runner: string; leaseMs?: number } | undefined
}

/** Whose turns are, for how long. */
export interface Leases {
  /** How long one holds (ms). */
  leaseMs: number
  /** With what a turn is claimed and renewed now. */
  owner(): TurnOwner
  /**
   * Calls `renew` from time to time until what it answers with is called; all that are held at once, together. Never for
   * the only runtime of a store, from which nobody takes a turn.
   */
  hold(renew: (owner: TurnOwner) => void): () => void
  /** Whether this runtime has claimed the turn and not let go of it. */
  isOwn(turn: Turn): boolean
  /** Whether another runtime that lives runs the turn. */
  isElsewhere(turn: Turn): boolean
  /** Whether the turn runs, here or elsewhere: one that its owner left behind does not. */
  isAlive(turn: Turn): boolean
}

export function createLeases({ clock, timers = nodeTimers, shared }: LeaseDeps): Leases {
  const runner = shared?.runner ?? "only"
  const leaseMs = shared?.leaseMs ?? usualLease
  const since = clock()
  const held = new Set<(owner: TurnOwner) => void>()
  let stopRenewing: (() => void) | null = null
  const owner = (): TurnOwner => ({ runner, since, until: clock() + leaseMs })
  const renewAll = () => {
    const renewed = owner()
    for (const renew of held) renew(renewed)
  }
  const isOwn: Leases["isOwn"] = ({ status, owner: by }) =>
    status === "running" && by?.runner === runner && by.since === since
  const isElsewhere: Leases["isElsewhere"] = ({ status, owner: by }) => {
    // The only runtime of a store has it to itself: what another owned, that one left behind.
    if (shared === undefined || status !== "running" || !by) return false
    return by.runner !== runner && by.until > clock()
  }
  return {
    leaseMs,
    owner,
    hold(renew) {
      if (shared === undefined) return () => {}
      held.add(renew)
      stopRenewing ??= timers.every(leaseMs / 3, renewAll)
      return () => {
        held.delete(renew)
        if (held.size > 0) return
        stopRenewing?.()
        stopRenewing = null
      }
    },
    isOwn,
    isElsewhere,
    isAlive: (turn) => isOwn(turn) || isElsewhere(turn),
  }
}
