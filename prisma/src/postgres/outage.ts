import { DocketError } from "@docket/core/store"
import { nodeTimers, type Timers } from "@docket/core/timers"
import { DatabaseAwayError } from "./postgres-error.ts"

/** How long what is asked waits for a server that is away (ms). */
export const waitLimitMs = 120_000
/** Waits between looks at a server that is away (ms): doubled from the first to the longest. */
const looks = { first: 100, longest: 1_000 }
/** One thing fails as often as that only when the fault is its own. */
const mostTries = 20

export interface OutageDeps {
  /** Whether this process is the database's only service. */
  isHeld(): boolean
  /** Asks the server something. */
  probe(): Promise<unknown>
  timers?: Timers
  /** The server is away, or the claim is lost: from now on what is asked waits. */
  onAway?(reason: DocketError): void
  onBack?(): void
  /** It is away for longer than anybody waits. */
  onGivenUp?(reason: DocketError): void
}

/** Lets what is asked of a database wait while its server is away, for two minutes. */
export interface Outage {
  /** What `attempt` answers, made again after each outage. @throws store_unavailable when one lasts too long */
  through<T>(attempt: () => Promise<T>, options: { writes: boolean }): Promise<T>
  /** Resolves when something can be written. @throws as `through` */
  ready(): Promise<void>
  /** The connection of the claim broke. */
  lost(): void
  /** Looks at once whether the server is back. */
  look(): void
  /** Nothing waits any more: what meets a server that is away fails. */
  end(reason: DocketError): void
  /** Why what is asked waits or fails; null when it does neither. */
  reason(): DocketError | null
}

interface Away {
  reason: DocketError
  over: PromiseWithResolvers<void>
  isGivenUp: boolean
  /** Calls off the limit and the next look. */
  stop(): void
}

export function createOutage(deps: OutageDeps): Outage {
  const { timers = nodeTimers } = deps
  let away: Away | null = null
  let ended: DocketError | null = null

  const isBack = async (): Promise<boolean> => {
    if (!deps.isHeld()) return false
    return deps.probe().then(
      () => deps.isHeld(),
      () => false,
    )
  }
  const begin = (reason: DocketError): void => {
    if (away !== null || ended !== null) return
    const cancelLimit = timers.after(waitLimitMs, () => giveUp(found))
    const over = Promise.withResolvers<void>()
    // Those who wait hear of it by themselves.
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
    // A single connection may have broken.
    void lookAt(found).then((isOver) => isOver || lookAfter(looks.first))
  }
  /** Whether there is nothing left to look for. */
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
      if (deps.isHeld()) return
      throw ended
    }
    await wait()
    while (!deps.isHeld()) {
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
    reason: () => away?.reason ?? (deps.isHeld() ? null : ended),
  }
}

function unclaimed(): DocketError {
  const words =
    "The connection to the PostgreSQL database broke, and Docket writes nothing until it is sure to be the only service on it. Try again in a moment."
  return new DocketError("store_unavailable", words)
}
