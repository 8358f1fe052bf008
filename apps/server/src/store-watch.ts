import { DocketError, type StoreAway } from "@docket/core"
import type { ClaimOptions, Outage, PostgresOptions } from "@docket/db"

/** Connects the parts of a service to the state of its PostgreSQL database. */
export interface StoreWatch {
  claim: Pick<ClaimOptions, "onLost" | "onHeld" | "onTaken">
  outage: Omit<NonNullable<PostgresOptions["waits"]>, "ownsDatabase" | "timers">
  /** The parts for the runtime of each workspace. */
  runtime: { watchStore(onLost: (reason: string) => void): void; storeAway: StoreAway }
  /** To be called when the database is open, with what its queries wait for. */
  opened(outage: Outage | null): void
  /** Why the database cannot be used now; null when it can. */
  reason(): DocketError | null
  /** To be called when the service ends: waiting queries fail. */
  end(): void
}

export function createStoreWatch(deps: { report(phase: string): void; onTaken(error: DocketError): void }): StoreWatch {
  const lostListeners = new Set<(reason: string) => void>()
  const awayListeners = new Set<(reason: Error) => void>()
  let outage: Outage | null = null
  const stopAll = ({ message }: DocketError) => {
    for (const listener of lostListeners) listener(message)
  }
  const reason = () => outage?.reason() ?? null
  return {
    claim: {
      onLost: () => outage?.lost(),
      onHeld: () => outage?.look(),
      onTaken(error) {
        outage?.end(error)
        stopAll(error)
        deps.onTaken(error)
      },
    },
    outage: {
      onAway(why) {
        deps.report(`the database is away; what runs waits for it, two minutes at most (${why.message})`)
        for (const listener of awayListeners) listener(why)
      },
      onBack: () => deps.report("the database is back; what waited goes on"),
      onGivenUp(why) {
        deps.report("the database is away for two minutes; running turns are stopped")
        stopAll(why)
      },
    },
    runtime: {
      watchStore: (onLost) => void lostListeners.add(onLost),
      storeAway: {
        reason,
        onAway(listener) {
          awayListeners.add(listener)
          return () => void awayListeners.delete(listener)
        },
      },
    },
    opened(opened) {
      outage = opened
    },
    reason,
    end: () => outage?.end(new DocketError("store_unavailable", "Docket is stopping.")),
  }
}
