import { orAborted } from "../../ground/concurrency/or-aborted.ts"
import { pause } from "../../ground/concurrency/pause.ts"
import { DocketError, StaleTurnError } from "../../ground/error/docket-error.ts"
import { type FinalWrites, isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { turnOrder } from "../../ground/message/turn-order.ts"
import type { Caller, Turn } from "../../ground/schema/index.ts"
import type { Fence, Mutation, Store } from "../../ground/store/index.ts"
import { LimitReached, stoppedBy } from "../loop/stop-reason.ts"
import { type HeldTrees, queuedTurn } from "./held-trees.ts"
import type { Leases } from "./leases.ts"
import type { SessionQueues } from "./session-queues.ts"

/** How often the row of another runtime's turn is read (ms). */
const lookMs = 100

/**
 * The running and waiting turns according to their rows, so that all runtimes of a store see the same. A turn runs as
 * long as its owner lives.
 */
export interface TurnQueue {
  /**
   * Stores a waiting turn together with `more`. It runs here, or where its tree is held. @throws AlreadyMadeError when
   * the turn must be `fresh` but exists
   */
  enqueue(turn: Turn, more?: Mutation[], fresh?: boolean): Promise<void>
  /**
   * Tries once to claim a waiting turn for this runtime. "wait" while an earlier turn is open or another runtime has
   * it; null when it has ended. `tried` collects the times of attempts, to recognise a claim whose answer was lost.
   */
  claim(turn: Turn, tried: Set<number>): Promise<Turn | "wait" | null>
  /** Renews a claimed turn, whose row is `current()`, until the returned function is called. */
  renew(current: () => Turn, onStale: (error: StaleTurnError) => void): () => void
  /** Stores the end of a claimed turn together with `more`. @throws StaleTurnError when the claim is lost */
  release(ended: Turn, more: Mutation[]): Promise<void>
  /** Makes the runners stop these running turns, unless they end within `graceMs`; resolves when they have ended. */
  cancel(turns: Turn[], how: CancelHow): Promise<void>
  /** Withdraws a waiting turn on behalf of `by`. False when it was claimed or has ended. */
  withdraw(turn: Turn, by?: Caller): Promise<boolean>
  /**
   * Changes waiting turns to these, in content or place. Null when one of them was claimed, has ended or was changed
   * meanwhile: then none is.
   */
  change(turns: readonly Turn[]): Promise<Turn[] | null>
  /** The waiting turns of the session whose prompts a running turn is to read, in their order. */
  steered(sessionID: string): Promise<Turn[]>
  /**
   * Stores that the waiting turn has ended, because `reader` read its prompt, together with `rows`. False, and nothing
   * is stored, when it does not wait any more as it was.
   */
  read(turn: Turn, reader: Turn, rows: Mutation[]): Promise<boolean>
  /** Looks at the rows for the order of the session's waiting turns, which another runtime may have changed. */
  refresh(sessionID: string): Promise<void>
  /** Ends a turn that was stopped before it was claimed, also when its row may be missing; returns its row. */
  forget(turn: Turn): Promise<Turn>
  /**
   * The open turns of a tree, oldest first. `alive` wait or have a live owner; `dead` are left over from dead owners.
   */
  open(rootID: string): Promise<{ alive: Turn[]; dead: Turn[] }>
  /** Whether this runtime owns a running turn. */
  isHere(turn: Turn): boolean
  isRunning(sessionID: string): Promise<boolean>
  /** Resolves with the ended turn, whichever runtime runs it, or with its current state when nothing will end it. */
  ended(turnID: string, signal?: AbortSignal): Promise<Turn>
}

interface TurnQueueDeps {
  store: Pick<Store, "turn" | "write">
  journal: Journal
  finalWrites: FinalWrites
  leases: Leases
  sessionQueues: SessionQueues
  heldTrees: HeldTrees
  /** Whether other runtimes on the same store may run turns too. */
  isShared: boolean
  clock: () => number
}

export function createTurnQueue(deps: TurnQueueDeps): TurnQueue {
  const { store, journal, leases, sessionQueues, clock, heldTrees } = deps
  const forget: TurnQueue["forget"] = async (turn) => {
    const row = await store.turn.get(turn.id)
    if (row === null || !hasNoEnd(row) || leases.isElsewhere(row)) return row ?? turn
    const value = abortedTurn(row, clock())
    await journal.commit(row.rootID, [{ kind: "turn", value }])
    return value
  }
  return {
    enqueue: (turn, more = [], fresh = false) =>
      heldTrees.during(turn.rootID, async (isHeld) => {
        try {
          const only = fresh ? { fresh: turn.id } : undefined
          await journal.commit(turn.rootID, [queuedTurn(turn, isHeld), ...more], only)
        } catch (error) {
          // It may be stored although the sender got an error: it must not run.
          if (!isRefusal(error)) deps.finalWrites.store({ rootID: turn.rootID }, () => forget(turn)).catch(() => {})
          throw error
        }
        // The tree may have been given to this node while the turn was being stored.
        if (heldTrees.takes(turn)) sessionQueues.add(turn)
      }),
    claim: (turn, tried) => claim(deps, turn, tried),
    renew: (current, onStale) =>
      leases.hold((owner) => {
        release(deps, { ...current(), owner }, []).catch((error) => {
          // A failed renewal is no error: the next one may succeed.
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
      const value = { ...abortedTurn(turn, clock(), by), epoch: turn.epoch + 1 }
      if (!(await ifStill(deps, [value]))) return false
      sessionQueues.drop(value)
      return true
    },
    async change(turns) {
      const values = turns.map((turn) => ({ ...turn, epoch: turn.epoch + 1 }))
      if (!(await ifStill(deps, values))) return null
      sessionQueues.refresh(values)
      return values
    },
    steered: async (sessionID) =>
      (await store.turn.open({ sessionID }))
        .filter(({ status, input }) => status === "queued" && input.steer === true)
        .sort(turnOrder),
    async read(turn, reader, rows) {
      const value = { ...turn, epoch: turn.epoch + 1 }
      const isRead = await ifStill(deps, [value], { rows, and: [{ turnID: reader.id, epoch: reader.epoch }] })
      if (isRead) sessionQueues.drop(value)
      return isRead
    },
    refresh: async (sessionID) => sessionQueues.refresh(await store.turn.open({ sessionID })),
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

/** Stores turns that each have the next epoch, if all still have the one before it. */
async function ifStill(
  { journal }: TurnQueueDeps,
  turns: readonly Turn[],
  { rows = [], and = [] }: { rows?: Mutation[]; and?: Fence[] } = {},
): Promise<boolean> {
  const [first] = turns
  if (first === undefined) return true
  const fences = turns.map(({ id, epoch }): Fence => ({ turnID: id, epoch: epoch - 1 }))
  const values = turns.map((value): Mutation => ({ kind: "turn", value }))
  try {
    await journal.commit(first.rootID, [...rows, ...values], [...and, ...fences])
    return true
  } catch (error) {
    if (error instanceof StaleTurnError) return false
    throw error
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
  // An attempt whose answer was lost may have claimed the turn.
  if (leases.isOwn(row) && row.epoch > queued.epoch && tried.has(row.time.started ?? 0)) return row
  return row.status === "queued" || leases.isElsewhere(row) ? "wait" : null
}

/** Stores the turn, if the epoch of its claim is still current. */
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
    // Another runtime has the turn, or may just have taken it over.
    await pause(lookMs, signal ?? new AbortController().signal)
    signal?.throwIfAborted()
  }
}

function hasNoEnd({ status }: Turn): boolean {
  return status === "queued" || status === "running"
}

/** How often the rows are read while another runtime stops its turns (ms). */
const elsewhereLookMs = 50

interface CancelDeps {
  store: Pick<Store, "turn">
  journal: Journal
  leases: Pick<Leases, "isElsewhere">
}

/** Why turns are stopped, and how long (ms) they may take to end by themselves; 0 when absent. */
interface CancelHow {
  reason: Error
  graceMs?: number
}

/**
 * Asks other runtimes, through the rows of their sessions, to stop these turns of one tree. Resolves when all have
 * ended or their owners have died.
 */
async function cancelElsewhere(deps: CancelDeps, turns: Turn[], how: CancelHow): Promise<void> {
  const [first] = turns
  if (first === undefined) return
  const { rootID } = first
  const ids = new Set(turns.map(({ id }) => id))
  const isLeft = (turn: Turn) => ids.has(turn.id) && deps.leases.isElsewhere(turn)
  const left = async () => (await deps.store.turn.open({ rootID })).filter(isLeft)
  if (how.graceMs) await pause(how.graceMs, new AbortController().signal)
  const toStop = how.graceMs ? await left() : turns
  if (toStop.length > 0)
    await deps.journal.commit(
      rootID,
      toStop.map((turn) => stopMutation(turn, how.reason)),
    )
  while ((await left()).length > 0) await pause(elsewhereLookMs, new AbortController().signal)
}

function stopMutation({ id, sessionID }: Turn, reason: Error): Mutation {
  const limit = reason instanceof LimitReached ? reason.message : null
  return { kind: "session.patch", sessionID, patch: { stop: { turnID: id, limit, ...stoppedBy(reason) } } }
}

/** The turn after a stop. `now` is epoch ms; `by` is the user who stopped it. */
export function abortedTurn(turn: Turn, now: number, by?: Caller): Turn {
  return { ...turn, status: "aborted", ...(by && { stoppedBy: by }), time: { ...turn.time, ended: now } }
}

/** The user for whom a turn works; null if unknown. */
export function causeOf({ cause, by }: Pick<Turn, "cause" | "by">): Caller | null {
  return cause ?? by ?? null
}
