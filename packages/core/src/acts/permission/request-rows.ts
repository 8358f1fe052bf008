import type { Endings } from "../../ground/event/endings.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { PermissionRequest } from "../../ground/schema/index.ts"
import type { PermissionStore, WriteStore } from "../../ground/store/index.ts"
import { notWaiting } from "./answered-words.ts"
import type { Settled } from "./end-of.ts"

export interface RequestRowsDeps {
  store: Pick<PermissionStore, "get">
  write: Pick<WriteStore, "closePermission">
  journal: Journal
  endings: Endings
  clock: () => number
}

/** How the rows of requests end. */
export interface RequestRows {
  /** Stores the one answer to a request. @throws permission_request_answered when another came first */
  answer(request: Pick<PermissionRequest, "id">, end: Settled): Promise<PermissionRequest>
  /** Nobody waits for an answer any more. */
  expired(request: PermissionRequest): Promise<PermissionRequest>
  /** As `expired`, in the background. What cannot be stored before the process ends, the next start puts right. */
  expire(request: PermissionRequest): void
}

export function createRequestRows({ store, write, journal, endings, clock }: RequestRowsDeps): RequestRows {
  const expired: RequestRows["expired"] = async (request) => {
    const time = { ...request.time, replied: clock() }
    const closed = { ...request, status: "expired", message: null, time } as const
    await journal.commit(request.rootID, [{ kind: "permission", value: closed }])
    return closed
  }
  return {
    expired,
    expire(request) {
      endings.store({ rootID: request.rootID }, () => expired(request)).catch(() => {})
    },
    async answer({ id }, end) {
      const change = await write.closePermission(id, {
        status: end.status,
        message: end.message,
        ...(end.by && { by: end.by }),
        ...(end.remembered && { remembered: end.remembered }),
        ...(end.answers && { answers: end.answers }),
        replied: clock(),
      })
      if (change?.kind !== "permission") throw await notWaiting(store, id, end.by)
      journal.publish(change)
      return change.value
    },
  }
}
