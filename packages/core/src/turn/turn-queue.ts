import type { Turn } from "../schema/index.ts"

/** Calls an attempt to claim the turn, which begins when it answers with something. */
export type BeginTurn = <T>(attempt: () => Promise<T | null>) => Promise<T | null>

/** Runs a turn to its end; the signal aborts it. */
export type RunTurn = (turn: Turn, signal: AbortSignal, begin: BeginTurn) => Promise<Turn>

/**
 * Runs the turns of each session one after another in the order given, those of different sessions side
 * by side. In process; the rows behind it are the truth.
 */
export interface TurnQueue {
  /** Runs what waits and what comes, from now on. Call once. */
  serve(run: RunTurn): void
  /** Those of a session run in the order of their ids. */
  add(turn: Turn): void
  /** Resolves with the ended turn, or null when it is not here. */
  wait(turnID: string): Promise<Turn> | null
  /** Takes a turn out that has not started. */
  withdraw(turnID: string): Turn | null
  /** Aborts the running turn of the session, unless it ends within `graceMs`; resolves when it has ended. */
  stop(sessionID: string, reason: unknown, graceMs?: number): Promise<void>
  /**
   * Aborts the turns that match without waiting for their ends. One that waits keeps its place: it runs with a signal
   * that is aborted. Answers with all of them.
   */
  abandon(matches: (turn: Turn) => boolean, reason: unknown): Turn[]
  /** Aborts every turn that has begun, without waiting for its end. One that waits to be claimed goes on waiting. */
  interrupt(reason: unknown): void
  /** Whether the turn runs or waits here. */
  has(turnID: string): boolean
  /** Turns of the session that wait, in order. */
  waiting(sessionID: string): Turn[]
  isRunning(sessionID: string): boolean
  /** Aborts everything and takes nothing more. Who waits for a turn that has not started is told `reason`. */
  close(reason: unknown): Promise<void>
}

interface Entry {
  turn: Turn
  controller: AbortController
}

interface Lane {
  waiting: Entry[]
  running: (Entry & { hasBegun: boolean; done: Promise<void> }) | null
}

export function createTurnQueue(deps: { onError(error: unknown): void }): TurnQueue {
  const lanes = new Map<string, Lane>()
  const ends = createEnds()
  let run: RunTurn | null = null
  let closed: { reason: unknown } | null = null
  let interrupted: { reason: unknown } | null = null

  const next = (sessionID: string) => {
    const lane = lanes.get(sessionID)
    if (run === null || lane === undefined || lane.running !== null) return
    const entry = closed === null ? lane.waiting.shift() : undefined
    if (entry === undefined) {
      lanes.delete(sessionID)
      return
    }
    const { turn, controller } = entry
    const begin: BeginTurn = async (attempt) => {
      const before = interrupted
      const claimed = await attempt()
      if (claimed === null || lane.running === null) return claimed
      lane.running.hasBegun = true
      // It came between the claim and its answer.
      if (interrupted !== before) controller.abort(interrupted?.reason)
      return claimed
    }
    const done = run(turn, controller.signal, begin).then(
      (ended) => ends.settle(turn.id, ended),
      (error) => {
        deps.onError(error)
        ends.refuse(turn.id, error)
      },
    )
    lane.running = { turn, controller, hasBegun: false, done }
    void done.then(() => {
      lane.running = null
      next(sessionID)
    })
  }

  const entries = (): Entry[] =>
    [...lanes.values()].flatMap(({ running, waiting }) => [...(running ? [running] : []), ...waiting])

  return {
    serve(given) {
      run = given
      for (const sessionID of lanes.keys()) next(sessionID)
    },
    add(turn) {
      if (entries().some((entry) => entry.turn.id === turn.id)) return
      ends.open(turn.id)
      // Its row stays queued: the next process runs it.
      if (closed !== null) return ends.refuse(turn.id, closed.reason, { keep: true })
      const lane = lanes.get(turn.sessionID) ?? { waiting: [], running: null }
      lanes.set(turn.sessionID, lane)
      const behind = lane.waiting.findIndex((entry) => entry.turn.id > turn.id)
      lane.waiting.splice(behind < 0 ? lane.waiting.length : behind, 0, { turn, controller: new AbortController() })
      next(turn.sessionID)
    },
    wait: ends.wait,
    withdraw(turnID) {
      for (const lane of lanes.values()) {
        const at = lane.waiting.findIndex((entry) => entry.turn.id === turnID)
        const turn = lane.waiting[at]?.turn
        if (turn === undefined) continue
        lane.waiting.splice(at, 1)
        ends.settle(turnID, { ...turn, status: "aborted" })
        return turn
      }
      return null
    },
    async stop(sessionID, reason, graceMs = 0) {
      const running = lanes.get(sessionID)?.running
      if (running && graceMs > 0) await settledWithin(running.done, graceMs)
      running?.controller.abort(reason)
      await running?.done
    },
    abandon(matches, reason) {
      const found = entries().filter(({ turn }) => matches(turn))
      for (const { controller } of found) controller.abort(reason)
      return found.map(({ turn }) => turn)
    },
    interrupt(reason) {
      interrupted = { reason }
      for (const { running } of lanes.values()) if (running?.hasBegun) running.controller.abort(reason)
    },
    has: (turnID) => entries().some(({ turn }) => turn.id === turnID),
    waiting: (sessionID) => lanes.get(sessionID)?.waiting.map(({ turn }) => turn) ?? [],
    isRunning: (sessionID) => (lanes.get(sessionID)?.running ?? null) !== null,
    async close(reason) {
      closed = { reason }
      for (const lane of lanes.values())
        for (const { turn } of lane.waiting.splice(0)) ends.refuse(turn.id, reason, { keep: true })
      const running = [...lanes.values()].flatMap((lane) => lane.running ?? [])
      for (const { controller } of running) controller.abort(reason)
      await Promise.all(running.map(({ done }) => done))
    },
  }
}

/** Resolves when `done` does, or after `ms`. */
async function settledWithin(done: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([done, late])
  clearTimeout(timer)
}

/** Where callers wait for the ends of turns that are here. */
function createEnds() {
  const ends = new Map<string, PromiseWithResolvers<Turn>>()
  return {
    open(turnID: string) {
      const end = Promise.withResolvers<Turn>()
      // Nobody has to wait for a turn.
      end.promise.catch(() => {})
      ends.set(turnID, end)
    },
    wait: (turnID: string) => ends.get(turnID)?.promise ?? null,
    settle(turnID: string, turn: Turn) {
      ends.get(turnID)?.resolve(turn)
      ends.delete(turnID)
    },
    /** `keep` also tells who asks later. */
    refuse(turnID: string, reason: unknown, options: { keep: boolean } = { keep: false }) {
      ends.get(turnID)?.reject(reason)
      if (!options.keep) ends.delete(turnID)
    },
  }
}
