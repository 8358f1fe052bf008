import { pause } from "../../ground/concurrency/pause.ts"
import { turnOrder } from "../../ground/message/turn-order.ts"
import type { Turn } from "../../ground/schema/index.ts"

/** Calls an attempt to claim the turn. The turn begins when the attempt returns a value. */
export type BeginTurn = <T>(attempt: () => Promise<T | null>) => Promise<T | null>

/** Runs a turn to its end. The signal aborts it. */
export type RunTurn = (turn: Turn, signal: AbortSignal, begin: BeginTurn) => Promise<Turn>

/**
 * Runs turns in this process: turns of one session in order, turns of different sessions in parallel. It knows only
 * this process's work; the rows say whether a session runs or waits (`TurnQueue`).
 */
export interface SessionQueues {
  /** Starts running turns. Call once. */
  serve(run: RunTurn): void
  /** Turns of a session run in the order of their creation. A turn that is here already is not added again. */
  add(turn: Turn): void
  /** Removes a turn that ended before it started here. */
  drop(turn: Turn): void
  /** Takes over what these rows say of turns that wait here: their order above all. */
  refresh(turns: readonly Turn[]): void
  /** Resolves with the turn once it is no longer here; null when it is not here. */
  left(turnID: string): Promise<Turn> | null
  /** Aborts the turn if it runs here and does not end within `graceMs`; resolves when it has ended. */
  stop(turnID: string, reason: unknown, graceMs?: number): Promise<void>
  /**
   * Aborts the turns that match without waiting for their ends. A waiting turn keeps its place and runs with an aborted
   * signal. Returns all of them.
   */
  abandon(matches: (turn: Turn) => boolean, reason: unknown): Turn[]
  /**
   * Aborts every turn that has begun, without waiting for its end. A turn that waits to be claimed continues to wait.
   */
  interrupt(reason: unknown): void
  /** Whether the turn is in a queue of this process. */
  has(turnID: string): boolean
  /** Resolves when no turn of the tree is in a queue of this process. */
  idle(rootID: string): Promise<void>
  /** Aborts everything and accepts no more turns. Callers that wait for a turn that has not started get `reason`. */
  close(reason: unknown): Promise<void>
}

interface Entry {
  turn: Turn
  controller: AbortController
}

interface SessionQueue {
  waiting: Entry[]
  /** `isOvertaken`: it has not begun, and another one is to run before it. */
  running: (Entry & { hasBegun: boolean; isOvertaken: boolean; done: Promise<void> }) | null
}

export function createSessionQueues(deps: { onError(error: unknown): void }): SessionQueues {
  const queues = new Map<string, SessionQueue>()
  const ends = createEnds()
  let run: RunTurn | null = null
  let closed: { reason: unknown } | null = null
  let interrupted: { reason: unknown } | null = null

  const next = (sessionID: string) => {
    const queue = queues.get(sessionID)
    if (run === null || queue === undefined || queue.running !== null) return
    const entry = closed === null ? queue.waiting.shift() : undefined
    if (entry === undefined) {
      queues.delete(sessionID)
      return
    }
    const { turn, controller } = entry
    let gaveWay = false
    const begin: BeginTurn = async (attempt) => {
      gaveWay = queue.running?.isOvertaken === true
      if (gaveWay) return null
      const before = interrupted
      const claimed = await attempt()
      if (claimed === null || queue.running === null) return claimed
      queue.running.hasBegun = true
      // The interrupt arrived between the claim and its answer.
      if (interrupted !== before) controller.abort(interrupted?.reason)
      return claimed
    }
    const done = run(turn, controller.signal, begin).then(
      (ended) => {
        const given = queue.running?.turn ?? turn
        if (gaveWay && closed === null) put(queue, { turn: given, controller: new AbortController() })
        else ends.settle(turn.id, ended)
      },
      (error) => {
        deps.onError(error)
        ends.refuse(turn.id, error)
      },
    )
    queue.running = { turn, controller, hasBegun: false, isOvertaken: false, done }
    void done.then(() => {
      queue.running = null
      next(sessionID)
    })
  }

  const entries = (): Entry[] =>
    [...queues.values()].flatMap(({ running, waiting }) => [...(running ? [running] : []), ...waiting])

  return {
    serve(given) {
      run = given
      for (const sessionID of queues.keys()) next(sessionID)
    },
    add(turn) {
      if (entries().some((entry) => entry.turn.id === turn.id)) return
      ends.open(turn.id)
      // The row stays queued: the next process runs the turn.
      if (closed !== null) return ends.refuse(turn.id, closed.reason, { keep: true })
      const queue = queues.get(turn.sessionID) ?? { waiting: [], running: null }
      queues.set(turn.sessionID, queue)
      put(queue, { turn, controller: new AbortController() })
      next(turn.sessionID)
    },
    refresh(turns) {
      const rows = new Map(turns.map((turn) => [turn.id, turn]))
      for (const { running, waiting } of queues.values()) {
        for (const entry of running?.hasBegun === false ? [running, ...waiting] : waiting)
          entry.turn = rows.get(entry.turn.id) ?? entry.turn
        waiting.sort((a, b) => turnOrder(a.turn, b.turn))
        const [first] = waiting
        if (running && !running.hasBegun && first) running.isOvertaken = turnOrder(first.turn, running.turn) < 0
      }
    },
    drop(turn) {
      const { waiting = [] } = queues.get(turn.sessionID) ?? {}
      const at = waiting.findIndex((entry) => entry.turn.id === turn.id)
      if (at < 0) return
      waiting.splice(at, 1)
      ends.settle(turn.id, turn)
    },
    left: ends.wait,
    async stop(turnID, reason, graceMs = 0) {
      const running = [...queues.values()].find((queue) => queue.running?.turn.id === turnID)?.running
      if (!running) return
      if (graceMs > 0) await within(running.done, graceMs)
      running.controller.abort(reason)
      await running.done
    },
    abandon(matches, reason) {
      const found = entries().filter(({ turn }) => matches(turn))
      for (const { controller } of found) controller.abort(reason)
      return found.map(({ turn }) => turn)
    },
    interrupt(reason) {
      interrupted = { reason }
      for (const { running } of queues.values()) if (running?.hasBegun) running.controller.abort(reason)
    },
    has: (turnID) => entries().some(({ turn }) => turn.id === turnID),
    async idle(rootID) {
      const running = () => [...queues.values()].find((queue) => queue.running?.turn.rootID === rootID)?.running
      for (let next = running(); next; next = running()) await next.done
    },
    async close(reason) {
      closed = { reason }
      for (const queue of queues.values())
        for (const { turn } of queue.waiting.splice(0)) ends.refuse(turn.id, reason, { keep: true })
      const running = [...queues.values()].flatMap((queue) => queue.running ?? [])
      for (const { controller } of running) controller.abort(reason)
      await Promise.all(running.map(({ done }) => done))
    },
  }
}

function put({ waiting }: SessionQueue, entry: Entry): void {
  const behind = waiting.findIndex((other) => turnOrder(other.turn, entry.turn) > 0)
  waiting.splice(behind < 0 ? waiting.length : behind, 0, entry)
}

/** Resolves when `done` does, or after `ms`. */
async function within(done: Promise<void>, ms: number): Promise<void> {
  const over = new AbortController()
  await Promise.race([done, pause(ms, over.signal)])
  over.abort()
}

/** Lets callers wait for the ends of turns that are here. */
function createEnds() {
  const ends = new Map<string, PromiseWithResolvers<Turn>>()
  return {
    open(turnID: string) {
      const end = Promise.withResolvers<Turn>()
      // There may be no caller that waits for the turn.
      end.promise.catch(() => {})
      ends.set(turnID, end)
    },
    wait: (turnID: string) => ends.get(turnID)?.promise ?? null,
    settle(turnID: string, turn: Turn) {
      ends.get(turnID)?.resolve(turn)
      ends.delete(turnID)
    },
    /** `keep` also rejects callers that ask later. */
    refuse(turnID: string, reason: unknown, options: { keep: boolean } = { keep: false }) {
      ends.get(turnID)?.reject(reason)
      if (!options.keep) ends.delete(turnID)
    },
  }
}
