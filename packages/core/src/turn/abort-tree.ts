import { DocketError } from "../error/docket-error.ts"
import type { Bus } from "../event/bus.ts"
import { type Endings, isRefusal, reasonOf } from "../event/endings.ts"
import type { Journal } from "../event/journal.ts"
import { StoppedByUser, stopError } from "../loop/stop-reason.ts"
import type { Session, Turn } from "../schema/index.ts"
import type { PendingMarks } from "../session/pending-marks.ts"
import { subtree } from "../session/subtree.ts"
import type { Mutation, Store } from "../store/index.ts"
import { publishStatus } from "./end-turn.ts"
import { closeOpen } from "./recover.ts"
import type { TurnQueue } from "./turn-queue.ts"

export interface AbortDeps {
  store: Store
  journal: Journal
  bus: Bus
  endings: Endings
  queue: TurnQueue
  stopMarks: PendingMarks
  sessionByID(id: string): Promise<Session>
  /** Cancels the tasks that these sessions started. */
  stopTasks(sessionIDs: string[], reason: Error): Promise<void>
  /** Resolves when no task of or in these sessions is open. */
  tasksEnded(sessionIDs: string[]): Promise<void>
  endCommands(sessionIDs: string[]): Promise<void>
  /** Resolves when each command that these sessions run now has the signal to end, or has ended. */
  commandsSignalled(sessionIDs: string[]): Promise<void>
  /** Has other runtimes stop what they run in these sessions. */
  cancelElsewhere(rootID: string, what: { sessionIDs: ReadonlySet<string>; reason: Error }): Promise<void>
  clock: () => number
  onError(error: unknown): void
}

/**
 * Stops a session and everything under it, queued prompts included. Resolves when all have stopped and no row says
 * otherwise.
 * @throws session_not_found; store_unavailable when all were stopped and their ends wait to be stored
 */
export async function abortTree(
  deps: AbortDeps,
  sessionID: string,
  reason: Error = new StoppedByUser(),
): Promise<void> {
  try {
    const session = await deps.sessionByID(sessionID)
    await deps.endings.orFailure(session.rootID, (failed) => stopStored(deps, session, reason, failed))
  } catch (error) {
    if (isRefusal(error)) throw error
    await stopUnstored(deps, sessionID, reason)
    const words = `The work was stopped. That cannot be stored yet and is tried again until it is: ${reasonOf(error)}`
    throw new DocketError("store_unavailable", words, { cause: error })
  }
}

/**
 * All are flagged in one transaction first, so that no child can start behind it; the tree is read again until
 * nothing runs.
 */
async function stopStored(deps: AbortDeps, session: Session, reason: Error, failed: AbortSignal): Promise<void> {
  const stopped = new Set<string>()
  while (!failed.aborted) {
    const members = subtree(await deps.store.session.tree(session.rootID), session.id)
    const ids = members.map((member) => member.id)
    await deps.stopTasks(ids, reason)
    const fresh = members.filter((member) => !stopped.has(member.id) && isActive(deps.queue, member.id))
    if (fresh.length === 0) {
      await deps.cancelElsewhere(session.rootID, { sessionIDs: new Set(ids), reason })
      await deps.tasksEnded(ids)
      await deps.endCommands(ids)
      return endLeftOver(deps, session.rootID, new Set(ids), reason)
    }
    const now = deps.clock()
    const flags = members
      .filter((member) => !stopped.has(member.id))
      .map((member): Mutation => ({ kind: "session.patch", sessionID: member.id, patch: { abortedAt: now } }))
    const withdrawn = fresh
      .flatMap((member) => deps.queue.waiting(member.id))
      .flatMap((turn) => deps.queue.withdraw(turn.id) ?? [])
    try {
      await deps.journal.commit(session.rootID, [...flags, ...withdrawn.map((turn) => abortedTurn(turn, now))])
    } catch (error) {
      // Back to their places, where each ends once the store takes it.
      for (const turn of withdrawn) deps.queue.add(turn)
      deps.queue.abandon((turn) => withdrawn.includes(turn), reason)
      throw error
    }
    const ended = Promise.all(fresh.map((member) => deps.queue.stop(member.id, reason)))
    await Promise.race([ended, deps.commandsSignalled(ids)])
    await sayIdle(deps, session.rootID, fresh)
    await ended
    for (const member of members) stopped.add(member.id)
  }
}

/**
 * For readers a stopped session is idle from here on: what it runs has the signal to end. Its turn is open until its end
 * is recorded, and only then the next one begins; after a crash in between, the start closes it as any open turn.
 */
async function sayIdle(deps: AbortDeps, rootID: string, stopped: Session[]): Promise<void> {
  const patch = { status: { type: "idle" } } as const
  const patches = stopped.map(({ id }): Mutation => ({ kind: "session.patch", sessionID: id, patch }))
  // What cannot be stored now, the end of the turn stores.
  const said = await deps.journal.commit(rootID, patches).catch(() => null)
  if (said !== null) for (const session of stopped) publishStatus(deps, { ...session, ...patch })
}

/** Stops what runs here, whatever the rows say. The ends are stored by those who run it. */
async function stopUnstored(deps: AbortDeps, sessionID: string, reason: Error): Promise<void> {
  const known = await subtreeIDs(deps, sessionID).catch(() => null)
  const isUnder = (turn: Turn) =>
    known?.has(turn.sessionID) ?? (turn.sessionID === sessionID || turn.rootID === sessionID)
  const turns = deps.queue.abandon(isUnder, reason)
  const ids = [...(known ?? new Set([sessionID, ...turns.map((turn) => turn.sessionID)]))]
  deps.stopTasks(ids, reason).catch(deps.onError)
  deps.endCommands(ids).catch(deps.onError)
  if (!(reason instanceof StoppedByUser)) return
  await Promise.all(turns.map((turn) => deps.stopMarks.add(turn.id))).catch(deps.onError)
}

async function subtreeIDs(deps: AbortDeps, sessionID: string): Promise<Set<string>> {
  const { rootID } = await deps.sessionByID(sessionID)
  return new Set(subtree(await deps.store.session.tree(rootID), sessionID).map((member) => member.id))
}

/** Ends what rows call running or queued and nothing here runs. */
async function endLeftOver(deps: AbortDeps, rootID: string, ids: Set<string>, reason: Error): Promise<void> {
  const isLeft = (turn: Turn) => ids.has(turn.sessionID) && !deps.queue.has(turn.id)
  const turns = (await deps.store.turn.open({ rootID })).filter(isLeft)
  const sessions = await deps.store.session.tree(rootID)
  const hasOpen = new Set(turns.map((turn) => turn.sessionID))
  const busy = sessions.filter(
    ({ id, status }) => ids.has(id) && (status.type !== "idle" || hasOpen.has(id)) && !isActive(deps.queue, id),
  )
  if (turns.length + busy.length === 0) return
  const now = deps.clock()
  const error = stopError(AbortSignal.abort(reason))
  const open = await Promise.all(
    busy.map(({ id }) => closeOpen(deps.store, id, { now, why: "the work was stopped", error })),
  )
  await deps.journal.commit(rootID, [
    ...turns.map((turn) => abortedTurn(turn, now)),
    ...open.flat(),
    ...busy.map(({ id }): Mutation => ({ kind: "session.patch", sessionID: id, patch: { status: { type: "idle" } } })),
  ])
}

export function abortedTurn(turn: Turn, now: number): Mutation {
  return { kind: "turn", value: { ...turn, status: "aborted", time: { ...turn.time, ended: now } } }
}

function isActive(queue: TurnQueue, sessionID: string): boolean {
  return queue.isRunning(sessionID) || queue.waiting(sessionID).length > 0
}
