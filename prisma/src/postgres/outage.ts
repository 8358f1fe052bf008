import { DocketError } from "@docket/core/store"
import { nodeTimers, type Timers } from "@docket/core/timers"
import { DatabaseAwayError } from "./postgres-error.ts"

/** How long queries wait for a server that is away (ms). */
export const waitLimitMs = 120_000
/** Pauses between checks whether the server is back (ms): doubled from the first to the longest. */
const looks = { first: 100, longest: 1_000 }
/** If one operation fails this often, the operation itself is at fault. */
const mostTries = 20

export interface OutageDeps {
  /** Whether this process owns the database. */
  ownsDatabase(): boolean
  /** Sends the server a query. */
  probe(): Promise<unknown>
  timers?: Timers
  /** The server is away, or the claim is lost: queries wait from now on. */
  onAway?(reason: DocketError): void
  onBack?(): void
  /** The server is away longer than the time limit. */
  onGivenUp?(reason: DocketError): void
}

/** Lets queries wait up to two minutes while the database server is away. */
export interface Outage {
  /**
   * The result of `attempt`, which is repeated after each outage. @throws store_unavailable when an outage lasts too
   * long
   */
  through<T>(attempt: () => Promise<T>, options: { writes: boolean }): Promise<T>
  /** Resolves when writing is possible. @throws like `through` */
  ready(): Promise<void>
  /** The connection of the claim broke. */
  lost(): void
  /** Checks at once whether the server is back. */
  look(): void
  /** Ends all waiting: from now on, queries fail while the server is away. */
  end(reason: DocketError): void
  /** Why queries wait or fail; null when they work. */
  reason(): DocketError | null
}

interface Away {
  reason: DocketError
  over: PromiseWithResolvers<void>
  isGivenUp: boolean
  /** Cancels the time limit and the next check. */
  stop(): void
}

export function createOutage(deps: OutageDeps): Outage {
  const { timers = nodeTimers } = deps
  let away: Away | null = null
  let ended: DocketError | null = null

  const isBack = async (): Promise<boolean> => {
    if (!deps.ownsDatabase()) return false
    return deps.probe().then(
      () => deps.ownsDatabase(),
      () => false,
    )
  }
  const begin = (reason: DocketError): void => {
    if (away !== null || ended !== null) return
    const cancelLimit = timers.after(waitLimitMs, () => giveUp(found))
    const over = Promise.withResolvers<void>()
    // Waiting queries get the error by themselves.
    over.promise.catch(() => {})
    let cancelLook = () => {}
    const found: Away = {
      reason,
      over,
      isGivenUp: false,
      stop() {
        cancelLimit()
        cancelLook()
      },
    }
    away = found
    deps.onAway?.(reason)
    const lookAfter = (wait: number) => {
      cancelLook = timers.after(wait, async () => {
        if (!(await lookAt(found))) lookAfter(Math.min(wait * 2, looks.longest))
      })
    }
    // Checked at once, because perhaps only a single connection broke.
    void lookAt(found).then((isOver) => isOver || lookAfter(looks.first))
  }
  /** Checks whether the outage is over, and ends it then. Resolves with whether no further check is needed. */
  const lookAt = async (found: Away): Promise<boolean> => {
    if (away !== found) return true
    const isOver = await isBack()
    if (away !== found) return true
    if (!isOver) return false
    found.stop()
    away = null
    found.over.resolve()
    deps.onBack?.()
    return true
  }
  const giveUp = (found: Away) => {
    if (away !== found) return
    const words = `The PostgreSQL database could not be reached for two minutes. Check that the server runs, then try again. (${found.reason.message})`
    found.reason = new DocketError("store_unavailable", words, { cause: found.reason })
    found.isGivenUp = true
    found.over.reject(found.reason)
    deps.onGivenUp?.(found.reason)
  }
  const wait = async (): Promise<void> => {
    if (away?.isGivenUp) throw away.reason
    await away?.over.promise
  }
  const ready = async (): Promise<void> => {
    if (ended !== null) {
      if (deps.ownsDatabase()) return
      throw ended
    }
    await wait()
    while (!deps.ownsDatabase()) {
      begin(unclaimed())
      await wait()
      if (ended !== null) throw ended
    }
  }
  return {
    async through(attempt, { writes }) {
      for (let tries = 1; ; tries++) {
        if (writes) await ready()
        try {
          return await attempt()
        } catch (error) {
          if (!(error instanceof DatabaseAwayError) || tries === mostTries || ended !== null) throw error
          begin(error)
          await wait()
        }
      }
    },
    ready,
    lost: () => begin(unclaimed()),
    look: () => void (away !== null && lookAt(away)),
    end(reason) {
      ended = reason
      away?.stop()
      away?.over.reject(reason)
      away = null
    },
    reason: () => away?.reason ?? (deps.ownsDatabase() ? null : ended),
  }
}

function unclaimed(): DocketError {
  const words =
    "The connection to the PostgreSQL database broke, and Docket writes nothing until it is sure that no other service took it. Try again in a moment."
  return new DocketError("store_unavailable", words)
}
