import { DocketError, type StoreAway } from "@docket/core"
import type { ClaimOptions, Outage, PostgresOptions } from "@docket/db"

/** Connects the parts of a service to the state of its PostgreSQL database. */
export interface StoreWatch {
  claim: Pick<ClaimOptions, "onLost" | "onHeld" | "onTaken">
  outage: Omit<NonNullable<PostgresOptions["waits"]>, "isHeld" | "timers">
  /** For each workspace. */
  runtime: { watchStore(onLost: (reason: string) => void): void; storeAway: StoreAway }
  opened(outage: Outage | null): void
  /** Why the database cannot be used now; null when it can. */
  reason(): DocketError | null
  /** The service ends: waiting queries fail. */
  end(): void
}

export function createStoreWatch(deps: { report(phase: string): void; onTaken(error: DocketError): void }): StoreWatch {
  const lost = new Set<(reason: string) => void>()
  const away = new Set<(reason: Error) => void>()
  let outage: Outage | null = null
  const stopAll = ({ message }: DocketError) => {
    for (const listener of lost) listener(message)
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
        for (const listener of away) listener(why)
      },
      onBack: () => deps.report("the database is back; what waited goes on"),
      onGivenUp(why) {
        deps.report("the database is away for two minutes; running turns are stopped")
        stopAll(why)
      },
    },
    runtime: {
      watchStore: (onLost) => void lost.add(onLost),
      storeAway: {
        reason,
        onAway(listener) {
          away.add(listener)
          return () => void away.delete(listener)
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
