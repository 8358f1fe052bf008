import type { RunningCommands } from "../../acts/tool/running-commands.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import { type FinalWrites, isRefusal, reasonOf } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { Caller, Session, Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { MarkerFiles } from "../../records/session/marker-files.ts"
import { subtree } from "../../records/session/subtree.ts"
import { StoppedByUser, stopError, stoppedBy } from "../loop/stop-reason.ts"
import { publishStatus } from "./end-turn.ts"
import { closeOpen } from "./recover.ts"
import type { SessionQueues } from "./session-queues.ts"
import { abortedTurn, type TurnQueue } from "./turn-queue.ts"

/** Stops tasks together with their sessions. */
export interface TreeTasks {
  /** Cancels tasks that these sessions started. */
  stopUnder(sessionIDs: string[], reason: Error): Promise<void>
  /** Resolves when no task of or in these sessions is open. */
  ended(sessionIDs: string[]): Promise<void>
}

/** Work in sessions besides their turns. */
interface TreeWork {
  tasks: TreeTasks
  commands: Pick<RunningCommands, "signalled" | "endBackground">
}

interface AbortDeps extends StopStoredDeps, StopUnstoredDeps {
  finalWrites: FinalWrites
  /** @throws session_not_found */
  sessionByID(id: string): Promise<Session>
}

/**
 * Stops a session and everything under it, queued prompts included. Resolves when all have stopped and the rows say so,
 * with the session's own waiting prompts, oldest first.
 * @throws session_not_found; store_unavailable when everything was stopped but its ends are not stored yet
 */
export async function abortTree(
  deps: AbortDeps,
  sessionID: string,
  reason: Error = new StoppedByUser(),
): Promise<Turn[]> {
  try {
    const session = await deps.finalWrites.orFailure(null, () => deps.sessionByID(sessionID))
    const withdrawn = await deps.finalWrites.orFailure(session.rootID, (failed) =>
      stopStored(deps, session, reason, failed),
    )
    return withdrawn.filter((turn) => turn.sessionID === sessionID)
  } catch (error) {
    if (isRefusal(error)) throw error
    const known = await deps.finalWrites.orFailure(null, () => subtreeIDs(deps, sessionID)).catch(() => null)
    await stopUnstored(deps, { sessionID, known, reason })
    const words = `The work was stopped. That cannot be stored yet and is tried again until it is: ${reasonOf(error)}`
    throw new DocketError("store_unavailable", words, { cause: error })
  }
}

async function subtreeIDs(deps: AbortDeps, sessionID: string): Promise<Set<string>> {
  const { rootID } = await deps.sessionByID(sessionID)
  return new Set(subtree(await deps.store.session.tree(rootID), sessionID).map((member) => member.id))
}

interface StopStoredDeps extends TreeWork {
  store: Pick<Store, "session" | "transcript">
  journal: Journal
  bus: Bus
  queue: Pick<TurnQueue, "open" | "isHere" | "withdraw" | "cancel">
  clock: () => number
}

/**
 * Stops a session and everything under it according to the rows, in whatever runtime it runs. Reads the rows until
 * nothing from before the stop is left; `failed` aborts when an end cannot be stored. Returns the withdrawn prompts.
 */
async function stopStored(
  deps: StopStoredDeps,
  { id, rootID }: Session,
  reason: Error,
  failed: AbortSignal,
): Promise<Turn[]> {
  const withdrawn: Turn[] = []
  const flagged = new Set<string>()
  const stopped = new Set<string>()
  /** Turns that were claimed while they were being withdrawn. */
  let escaped = new Set<string>()
  while (!failed.aborted) {
    const members = subtree(await deps.store.session.tree(rootID), id).map((member) => member.id)
    await deps.tasks.stopUnder(members, reason)
    const mustStop = (turn: Turn) =>
      escaped.has(turn.id) || (members.includes(turn.sessionID) && !flagged.has(turn.sessionID))
    const turns = (await deps.queue.open(rootID)).alive.filter(mustStop)
    if (turns.length === 0) {
      await deps.tasks.ended(members)
      await deps.commands.endBackground(members)
      await endLeftOver(deps, rootID, { members: new Set(members), stopped, reason })
      return withdrawn
    }
    const fresh = members.filter((member) => !flagged.has(member))
    const taken = await takeBack(deps, rootID, { fresh, turns, by: stoppedBy(reason).by })
    withdrawn.push(...taken.withdrawn)
    escaped = taken.escaped
    for (const member of fresh) flagged.add(member)
    for (const turn of turns) stopped.add(turn.id)
    await stopRunning(deps, rootID, { turns, reason })
  }
  return withdrawn
}

/**
 * Flags sessions and withdraws their waiting turns in one transaction, so that nothing can start afterwards. `escaped`
 * are the turns that were claimed before.
 */
async function takeBack(
  deps: StopStoredDeps,
  rootID: string,
  { fresh, turns, by }: { fresh: string[]; turns: Turn[]; by: Caller | undefined },
): Promise<{ withdrawn: Turn[]; escaped: Set<string> }> {
  const patch = { abortedAt: deps.clock() }
  const flags = fresh.map((sessionID): Mutation => ({ kind: "session.patch", sessionID, patch }))
  const waiting = turns.filter(({ status }) => status === "queued")
  const flagging = deps.journal.commit(rootID, flags)
  const [, ...taken] = await Promise.all([flagging, ...waiting.map((turn) => deps.queue.withdraw(turn, by))])
  const escaped = waiting.filter((_, index) => taken[index] === false).map((turn) => turn.id)
  return { withdrawn: waiting.filter((_, index) => taken[index] === true), escaped: new Set(escaped) }
}

/**
 * Readers see a session of this process as idle as soon as its turn was told to stop. The turn stays open until its end
 * is stored, and the next one begins only then; after a crash in between, the start closes it like any open turn.
 */
async function stopRunning(
  deps: StopStoredDeps,
  rootID: string,
  { turns, reason }: { turns: Turn[]; reason: Error },
): Promise<void> {
  const running = turns.filter(({ status }) => status === "running")
  const here = running.filter(deps.queue.isHere).map(({ sessionID }) => sessionID)
  const ended = deps.queue.cancel(running, { reason })
  if (here.length > 0) {
    await Promise.race([ended, deps.commands.signalled(here)])
    await sayIdle(deps, rootID, here)
  }
  await ended
}

async function sayIdle(deps: StopStoredDeps, rootID: string, sessionIDs: string[]): Promise<void> {
  const status = { type: "idle" } as const
  const patch = { status, ended: { at: deps.clock(), how: "stopped" } } as const
  const patches = sessionIDs.map((sessionID): Mutation => ({ kind: "session.patch", sessionID, patch }))
  // If this cannot be stored now, the end of the turn stores it.
  const said = await deps.journal.commit(rootID, patches).catch(() => null)
  if (said !== null) for (const id of sessionIDs) publishStatus(deps, { id, rootID, status })
}

/** Ends turns that rows call running although nothing runs them: their runtimes have died or do not know them. */
async function endLeftOver(
  deps: StopStoredDeps,
  rootID: string,
  { members, stopped, reason }: { members: Set<string>; stopped: Set<string>; reason: Error },
): Promise<void> {
  const { alive, dead } = await deps.queue.open(rootID)
  const unknown = alive.filter((turn) => turn.status === "running" && stopped.has(turn.id))
  const turns = [...dead, ...unknown].filter((turn) => members.has(turn.sessionID))
  const left = new Set(turns.map((turn) => turn.sessionID))
  const active = new Set(alive.filter((turn) => !unknown.includes(turn)).map((turn) => turn.sessionID))
  const busy = (await deps.store.session.tree(rootID)).filter(
    ({ id, status }) => members.has(id) && (status.type !== "idle" || left.has(id)) && !active.has(id),
  )
  if (turns.length + busy.length === 0) return
  const now = deps.clock()
  const error = stopError(AbortSignal.abort(reason))
  const open = await Promise.all(
    busy.map(({ id }) => closeOpen(deps.store, id, { now, why: "the work was stopped", error })),
  )
  const patch = { status: { type: "idle" }, ended: { at: now, how: "stopped" } } as const
  await deps.journal.commit(rootID, [
    ...turns.map((turn): Mutation => ({ kind: "turn", value: abortedTurn(turn, now, stoppedBy(reason).by) })),
    ...open.flat(),
    ...busy.map(({ id }): Mutation => ({ kind: "session.patch", sessionID: id, patch })),
  ])
}

interface StopUnstoredDeps extends TreeWork {
  sessionQueues: Pick<SessionQueues, "abandon">
  stopMarkers: Pick<MarkerFiles, "add">
  onError(error: unknown): void
}

/**
 * Stops what this process runs in a session and under it, regardless of the rows. The runners store the ends.
 * @param known the sessions under it; null when the store does not respond, then the turns tell
 */
async function stopUnstored(
  deps: StopUnstoredDeps,
  { sessionID, known, reason }: { sessionID: string; known: ReadonlySet<string> | null; reason: Error },
): Promise<void> {
  const isUnder = (turn: Turn) =>
    known?.has(turn.sessionID) ?? (turn.sessionID === sessionID || turn.rootID === sessionID)
  const turns = deps.sessionQueues.abandon(isUnder, reason)
  const ids = [...(known ?? new Set([sessionID, ...turns.map((turn) => turn.sessionID)]))]
  deps.tasks.stopUnder(ids, reason).catch(deps.onError)
  deps.commands.endBackground(ids).catch(deps.onError)
  if (!(reason instanceof StoppedByUser)) return
  await Promise.all(turns.map((turn) => deps.stopMarkers.add(turn.id))).catch(deps.onError)
}
