import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Turn, TurnOwner } from "../../ground/schema/index.ts"

/** How long a turn belongs to its owner without a renewal (ms). The owner renews after a third of it. */
const usualLease = 30_000

interface LeaseDeps {
  clock: () => number
  timers?: Timers
  /**
   * Set when other runtimes work on the store: the name of this runtime, and the length of its leases (ms). A node has
   * no leases: an engine knows which nodes live.
   */
  shared?: { runner: string; leaseMs?: number; isAlive?(runner: string): boolean } | undefined
}

/** Which runtime owns a turn, and until when. */
export interface Leases {
  /** The length of a lease (ms). */
  leaseMs: number
  /** The owner to write when a turn is claimed or renewed now. */
  owner(): TurnOwner
  /**
   * Calls `renew` repeatedly until the returned function is called; all held turns are renewed together. Does nothing
   * for the only runtime of a store, because no other runtime can take its turns, and for a node.
   */
  hold(renew: (owner: TurnOwner) => void): () => void
  /** Whether this runtime has claimed the turn and not released it. */
  isOwn(turn: Turn): boolean
  /** Whether another live runtime runs the turn. */
  isElsewhere(turn: Turn): boolean
  /** Whether the turn runs, here or elsewhere. A turn whose owner has died does not. */
  isAlive(turn: Turn): boolean
}

export function createLeases({ clock, timers = nodeTimers, shared }: LeaseDeps): Leases {
  const runner = shared?.runner ?? "only"
  const leaseMs = shared?.leaseMs ?? usualLease
  /** Tells this run of the runtime from earlier ones of the same name. */
  const since = clock()
  const renewals = new Set<(owner: TurnOwner) => void>()
  let stopRenewing: (() => void) | null = null
  const isNode = shared?.isAlive !== undefined
  const owner = (): TurnOwner => ({ runner, since, until: isNode ? 0 : clock() + leaseMs })
  const renewAll = () => {
    const renewed = owner()
    for (const renew of renewals) renew(renewed)
  }
  const isOwn: Leases["isOwn"] = ({ status, owner: by }) =>
    status === "running" && by?.runner === runner && by.since === since
  const isElsewhere: Leases["isElsewhere"] = ({ status, owner: by }) => {
    // A runtime that has the store alone took over the turns of any earlier owner.
    if (shared === undefined || status !== "running" || !by) return false
    if (by.runner === runner) return false
    return shared.isAlive?.(by.runner) ?? by.until > clock()
  }
  return {
    leaseMs,
    owner,
    hold(renew) {
      if (shared === undefined || isNode) return () => {}
      renewals.add(renew)
      stopRenewing ??= timers.every(leaseMs / 3, renewAll)
      return () => {
        renewals.delete(renew)
        if (renewals.size > 0) return
        stopRenewing?.()
        stopRenewing = null
      }
    },
    isOwn,
    isElsewhere,
    isAlive: (turn) => isOwn(turn) || isElsewhere(turn),
  }
}
