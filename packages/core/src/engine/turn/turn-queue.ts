import { orAborted } from "../../ground/concurrency/or-aborted.ts"
import { pause } from "../../ground/concurrency/pause.ts"
import { DocketError, StaleTurnError } from "../../ground/error/docket-error.ts"
import { type FinalWrites, isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { Caller, Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { LimitReached, stoppedBy } from "../loop/stop-reason.ts"
import type { Leases } from "./leases.ts"
import type { SessionQueues } from "./session-queues.ts"

/** How often (ms) the row of a turn is looked at that another runtime has. */
const lookMs = 100

/**
 * The turns that run and wait, by their rows: what one runtime of a store does here, every other sees, and nothing runs
 * or waits because this process says so. A turn runs while its owner lives.
 */
export interface TurnQueue {
  /**
   * Stores a turn that waits, together with `more`, and takes it on here. @throws AlreadyMadeError when one that is to be
   * `fresh` is there
   */
  enqueue(turn: Turn, more?: Mutation[], fresh?: boolean): Promise<void>
  /**
   * Tries once to make a waiting turn this runtime's; "wait" while one before it is open, or another runtime has it, and
   * null when it has ended. `tried` gets the time of the attempt, by which a later one knows a claim of which no answer came.
   */
  claim(turn: Turn, tried: Set<number>): Promise<Turn | "wait" | null>
  /** Keeps a claimed turn, whose record is `current()`, this runtime's until what it answers with is called. */
  renew(current: () => Turn, onStale: (error: StaleTurnError) => void): () => void
  /** Stores a claimed turn as it has ended, together with `more`. @throws StaleTurnError when the claim holds no more */
  release(ended: Turn, more: Mutation[]): Promise<void>
  /** Has these running turns stopped by those who run them, unless they end within `graceMs`; resolves when they have. */
  cancel(turns: Turn[], how: CancelHow): Promise<void>
  /** Takes a waiting turn back, for `by`. False when it was claimed or has ended. */
  withdraw(turn: Turn, by?: Caller): Promise<boolean>
  /** Ends a turn that was stopped before anybody claimed it, whatever became of attempts to store it; answers with its row. */
  forget(turn: Turn): Promise<Turn>
  /** The open turns of a tree, oldest first: those that wait, or whose owners live, and those that were left behind. */
  open(rootID: string): Promise<{ alive: Turn[]; dead: Turn[] }>
  /** Whether a running turn is this runtime's. */
  isHere(turn: Turn): boolean
  isRunning(sessionID: string): Promise<boolean>
  /** Resolves with the turn when it has ended, wherever; or as it is when nobody is there who brings its end. */
  ended(turnID: string, signal?: AbortSignal): Promise<Turn>
}

interface TurnQueueDeps {
  store: Pick<Store, "turn" | "write">
  journal: Journal
  finalWrites: FinalWrites
  leases: Leases
  sessionQueues: SessionQueues
  /** Whether other runtimes on the same store may run turns too. */
  isShared: boolean
  clock: () => number
}

export function createTurnQueue(deps: TurnQueueDeps): TurnQueue {
  const { store, journal, leases, sessionQueues, clock } = deps
  const forget: TurnQueue["forget"] = async (turn) => {
    const row = await store.turn.get(turn.id)
    if (row === null || !hasNoEnd(row) || leases.isElsewhere(row)) return row ?? turn
    const value = abortedTurn(row, clock())
    await journal.commit(row.rootID, [{ kind: "turn", value }])
    return value
  }
  return {
    async enqueue(turn, more = [], fresh = false) {
      try {
        const only = fresh ? { fresh: turn.id } : undefined
        await journal.commit(turn.rootID, [{ kind: "turn", value: turn }, ...more], only)
      } catch (error) {
        // It may be stored all the same: its sender is told that it was not.
        if (!isRefusal(error)) deps.finalWrites.store({ rootID: turn.rootID }, () => forget(turn)).catch(() => {})
        throw error
      }
      sessionQueues.add(turn)
    },
    claim: (turn, tried) => claim(deps, turn, tried),
    renew: (current, onStale) =>
      leases.hold((owner) => {
        release(deps, { ...current(), owner }, []).catch((error) => {
          // One that is not stored fails nothing: the next may be.
          if (error instanceof StaleTurnError) onStale(error)
        })
      }),
    release: (ended, more) => release(deps, ended, more),
    async cancel(turns, how) {
      const here = turns.filter(leases.isOwn).map(({ id }) => sessionQueues.stop(id, how.reason, how.graceMs))
      await Promise.all([...here, cancelElsewhere(deps, turns.filter(leases.isElsewhere), how)])
    },
    async withdraw(turn, by) {
      if (turn.status !== "queued") return false
      const value = abortedTurn(turn, clock(), by)
      try {
        await release(deps, value, [])
      } catch (error) {
        if (error instanceof StaleTurnError) return false
        throw error
      }
      sessionQueues.drop(value)
      return true
    },
    forget,
    async open(rootID) {
      const isAlive = (turn: Turn) => turn.status === "queued" || leases.isAlive(turn)
      const turns = await store.turn.open({ rootID })
      return { alive: turns.filter(isAlive), dead: turns.filter((turn) => !isAlive(turn)) }
    },
    isHere: leases.isOwn,
    isRunning: async (sessionID) => (await store.turn.open({ sessionID })).some(leases.isAlive),
    ended: (turnID, signal) => ended(deps, turnID, signal),
  }
}

async function claim(deps: TurnQueueDeps, queued: Turn, tried: Set<number>): Promise<Turn | "wait" | null> {
  const { store, journal, leases } = deps
  const now = deps.clock()
  tried.add(now)
  const claimed = await store.write.claimTurn(queued.id, now, leases.owner())
  if (claimed?.kind === "turn") {
    journal.publish(claimed)
    return claimed.value
  }
  const row = await store.turn.get(queued.id)
  if (row === null) return null
  // An attempt whose outcome was not heard of may have claimed it.
  if (leases.isOwn(row) && row.epoch === queued.epoch + 1 && tried.has(row.time.started ?? 0)) return row
  return row.status === "queued" || leases.isElsewhere(row) ? "wait" : null
}

/** Stores the turn as it is, as long as the claim or the wait of which it knows holds. */
async function release({ journal }: TurnQueueDeps, turn: Turn, more: Mutation[]): Promise<void> {
  const { id, rootID, epoch } = turn
  await journal.commit(rootID, [{ kind: "turn", value: turn }, ...more], { turnID: id, epoch })
}

async function ended(deps: TurnQueueDeps, turnID: string, signal?: AbortSignal): Promise<Turn> {
  const { sessionQueues, store, isShared, finalWrites } = deps
  const isOver = (turn: Turn) => !isShared || finalWrites.isClosed() || !hasNoEnd(turn)
  const here = sessionQueues.left(turnID)
  const left = await (here !== null && signal !== undefined ? orAborted(here, signal) : here)
  if (left !== null && isOver(left)) return left
  while (true) {
    const turn = await store.turn.get(turnID)
    if (turn === null) throw new DocketError("turn_not_found", `There is no turn ${turnID}.`)
    if (isOver(turn)) return turn
    // Another runtime has it, maybe since it took it over.
    await pause(lookMs, signal ?? new AbortController().signal)
    signal?.throwIfAborted()
  }
}

function hasNoEnd({ status }: Turn): boolean {
  return status === "queued" || status === "running"
}

/** How often (ms) the rows are looked at while another runtime stops its turns. */
const elsewhereLookMs = 50

interface CancelDeps {
  store: Pick<Store, "turn">
  journal: Journal
  leases: Pick<Leases, "isElsewhere">
}

/** Why turns are stopped, and how long (ms) they may still take to end by themselves; 0 when left out. */
interface CancelHow {
  reason: Error
  graceMs?: number
}

/**
 * Asks the runtimes that run these turns of one tree to stop them, through the rows of their sessions. Resolves when all
 * have ended or their owners live no more.
 */
async function cancelElsewhere(deps: CancelDeps, turns: Turn[], how: CancelHow): Promise<void> {
  const [first] = turns
  if (first === undefined) return
  const { rootID } = first
  const ids = new Set(turns.map(({ id }) => id))
  const isLeft = (turn: Turn) => ids.has(turn.id) && deps.leases.isElsewhere(turn)
  const left = async () => (await deps.store.turn.open({ rootID })).filter(isLeft)
  if (how.graceMs) await pause(how.graceMs, new AbortController().signal)
  const asked = how.graceMs ? await left() : turns
  if (asked.length > 0)
    await deps.journal.commit(
      rootID,
      asked.map((turn) => stopMark(turn, how.reason)),
    )
  while ((await left()).length > 0) await pause(elsewhereLookMs, new AbortController().signal)
}

function stopMark({ id, sessionID }: Turn, reason: Error): Mutation {
  const limit = reason instanceof LimitReached ? reason.message : null
  return { kind: "session.patch", sessionID, patch: { stop: { turnID: id, limit, ...stoppedBy(reason) } } }
}

/** The turn as a stop leaves it. `now` is epoch ms; `by` is who stopped it. */
export function abortedTurn(turn: Turn, now: number, by?: Caller): Turn {
  return { ...turn, status: "aborted", ...(by && { stoppedBy: by }), time: { ...turn.time, ended: now } }
}

/** For whom a turn works; null where nobody is known. */
export function causeOf({ cause, by }: Pick<Turn, "cause" | "by">): Caller | null {
  return cause ?? by ?? null
}
