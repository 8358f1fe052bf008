import { DocketError } from "../../ground/error/docket-error.ts"
import { type Endings, isRefusal, reasonOf } from "../../ground/event/endings.ts"
import type { Session, Turn } from "../../ground/schema/index.ts"
import { subtree } from "../../records/session/subtree.ts"
import { StoppedByUser } from "../loop/stop-reason.ts"
import { type StopStoredDeps, stopStored } from "./stop-stored.ts"
import { type StopUnstoredDeps, stopUnstored } from "./stop-unstored.ts"

export interface AbortDeps extends StopStoredDeps, StopUnstoredDeps {
  endings: Endings
  /** @throws session_not_found */
  sessionByID(id: string): Promise<Session>
}

/**
 * Stops a session and everything under it, queued prompts included. Resolves when all have stopped and no row says
 * otherwise, with the prompts of the session itself that waited, oldest first.
 * @throws session_not_found; store_unavailable when all were stopped and their ends wait to be stored
 */
export async function abortTree(
  deps: AbortDeps,
  sessionID: string,
  reason: Error = new StoppedByUser(),
): Promise<Turn[]> {
  try {
    const session = await deps.endings.orFailure(null, () => deps.sessionByID(sessionID))
    const withdrawn = await deps.endings.orFailure(session.rootID, (failed) =>
      stopStored(deps, session, reason, failed),
    )
    return withdrawn.filter((turn) => turn.sessionID === sessionID)
  } catch (error) {
    if (isRefusal(error)) throw error
    const known = await deps.endings.orFailure(null, () => subtreeIDs(deps, sessionID)).catch(() => null)
    await stopUnstored(deps, { sessionID, known, reason })
    const words = `The work was stopped. That cannot be stored yet and is tried again until it is: ${reasonOf(error)}`
    throw new DocketError("store_unavailable", words, { cause: error })
  }
}

async function subtreeIDs(deps: AbortDeps, sessionID: string): Promise<Set<string>> {
  const { rootID } = await deps.sessionByID(sessionID)
  return new Set(subtree(await deps.store.session.tree(rootID), sessionID).map((member) => member.id))
}
