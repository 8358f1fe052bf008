import type { Journal } from "../event/journal.ts"
import type { Session, Turn } from "../schema/index.ts"
import type { Mutation, Store } from "../store/index.ts"
import { StoppedByUser } from "./stop-reason.ts"
import type { TurnQueue } from "./turn-queue.ts"

export interface AbortDeps {
  store: Store
  journal: Journal
  queue: TurnQueue
  /** Cancels the tasks that these sessions started. */
  stopTasks(sessionIDs: string[], reason: Error): Promise<void>
  clock: () => number
}

/**
 * Stops a session and everything under it, queued prompts included. All are flagged in one transaction
 * first, so that no child can start behind it; the tree is read again until nothing runs.
 */
export async function abortTree(deps: AbortDeps, session: Session, reason: Error = new StoppedByUser()): Promise<void> {
  const stopped = new Set<string>()
  while (true) {
    const members = subtree(await deps.store.session.tree(session.rootID), session.id)
    await deps.stopTasks(
      members.map((member) => member.id),
      reason,
    )
    const fresh = members.filter((member) => !stopped.has(member.id) && isActive(deps.queue, member.id))
    if (fresh.length === 0) return
    const now = deps.clock()
    const flags = members
      .filter((member) => !stopped.has(member.id))
      .map((member): Mutation => ({ kind: "session.patch", sessionID: member.id, patch: { abortedAt: now } }))
    const withdrawn = fresh
      .flatMap((member) => deps.queue.waiting(member.id))
      .flatMap((turn) => deps.queue.withdraw(turn.id) ?? [])
    await deps.journal.commit(session.rootID, [...flags, ...withdrawn.map((turn) => abortedTurn(turn, now))])
    await Promise.all(fresh.map((member) => deps.queue.stop(member.id, reason)))
    for (const member of members) stopped.add(member.id)
  }
}

export function abortedTurn(turn: Turn, now: number): Mutation {
  return { kind: "turn", value: { ...turn, status: "aborted", time: { ...turn.time, ended: now } } }
}

function isActive(queue: TurnQueue, sessionID: string): boolean {
  return queue.isRunning(sessionID) || queue.waiting(sessionID).length > 0
}

/** The session and its descendants. `tree` holds parents before their children. */
export function subtree(tree: Session[], sessionID: string): Session[] {
  const inside = new Set([sessionID])
  const sorted = tree.toSorted((a, b) => a.depth - b.depth)
  for (const member of sorted) if (member.parentID !== null && inside.has(member.parentID)) inside.add(member.id)
  return sorted.filter((member) => inside.has(member.id))
}
