import { pause } from "../../ground/concurrency/pause.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { LimitReached, stoppedBy } from "../loop/stop-reason.ts"
import type { Leases } from "./leases.ts"

/** How often (ms) the rows are looked at while another runtime stops its turns. */
const lookMs = 50

export interface CancelDeps {
  store: Pick<Store, "turn">
  journal: Journal
  leases: Pick<Leases, "isElsewhere">
}

/** Why turns are stopped, and how long (ms) they may still take to end by themselves; 0 when left out. */
export interface CancelHow {
  reason: Error
  graceMs?: number
}

/**
 * Asks the runtimes that run these turns of one tree to stop them, through the rows of their sessions. Resolves when all
 * have ended or their owners live no more.
 */
export async function cancelElsewhere(deps: CancelDeps, turns: Turn[], how: CancelHow): Promise<void> {
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
  while ((await left()).length > 0) await pause(lookMs, new AbortController().signal)
}

function stopMark({ id, sessionID }: Turn, reason: Error): Mutation {
  const limit = reason instanceof LimitReached ? reason.message : null
  return { kind: "session.patch", sessionID, patch: { stop: { turnID: id, limit, ...stoppedBy(reason) } } }
}
