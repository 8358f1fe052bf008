import type { Bus } from "../../ground/event/bus.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { Caller, Session, Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { subtree } from "../../records/session/subtree.ts"
import { stopError, stoppedBy } from "../loop/stop-reason.ts"
import { abortedTurn } from "./aborted-turn.ts"
import { publishStatus } from "./end-turn.ts"
import { closeOpen } from "./recover.ts"
import type { TreeWork } from "./tree-work.ts"
import type { TurnQueue } from "./turn-queue.ts"

export interface StopStoredDeps extends TreeWork {
  store: Pick<Store, "session" | "transcript">
  journal: Journal
  bus: Bus
  queue: Pick<TurnQueue, "open" | "isHere" | "withdraw" | "cancel">
  clock: () => number
}

/**
 * Stops a session and everything under it by the rows, wherever it runs. What runs and waits is read again until nothing
 * is left of what came before the stop; `failed` aborts when an end cannot be stored. Answers with the turns that waited.
 */
export async function stopStored(
  deps: StopStoredDeps,
  { id, rootID }: Session,
  reason: Error,
  failed: AbortSignal,
): Promise<Turn[]> {
  const withdrawn: Turn[] = []
  const flagged = new Set<string>()
  const stopped = new Set<string>()
  /** Turns that were claimed while they were taken back. */
  let escaped = new Set<string>()
  while (!failed.aborted) {
    const members = subtree(await deps.store.session.tree(rootID), id).map((member) => member.id)
    await deps.tasks.stopUnder(members, reason)
    const isLeft = (turn: Turn) =>
      escaped.has(turn.id) || (members.includes(turn.sessionID) && !flagged.has(turn.sessionID))
    const turns = (await deps.queue.open(rootID)).alive.filter(isLeft)
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
 * Flags sessions and takes back what waits in one transaction, so that nothing can start behind it. `escaped` are the
 * turns that were claimed before.
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
 * For readers a session that runs here is idle as soon as what it runs has the signal to end. Its turn is open until its
 * end is recorded, and only then the next one begins; after a crash in between, the start closes it as any open turn.
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
  // What cannot be stored now, the end of the turn stores.
  const said = await deps.journal.commit(rootID, patches).catch(() => null)
  if (said !== null) for (const id of sessionIDs) publishStatus(deps, { id, rootID, status })
}

/** Ends what rows call running and nobody runs: those who ran it live no more, or know nothing of it. */
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
