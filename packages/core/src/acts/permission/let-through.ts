import { isDocketError } from "../../ground/error/docket-error.ts"
import { isInquiry } from "../../ground/rule/is-inquiry.ts"
import type { Caller, PermissionRequest } from "../../ground/schema/index.ts"
import type { Grants } from "./grants.ts"
import type { Judge } from "./judge.ts"
import { type Waiting, type WaitingRoom, waitingInput } from "./waiting-room.ts"

interface LetThroughDeps {
  room: WaitingRoom
  judge: Judge
  grants: Pick<Grants, "from">
}

/** Answers what waits and is allowed by now. Questions and plans are for people alone. */
export interface LetThrough {
  /** By the answer "always" to a request, whose grants another runtime may still store. */
  byAnswer(request: PermissionRequest): Promise<void>
  /** By presets and what is stored, as they are now: allowed once. In one tree, or in all of them. */
  byNow(options?: { rootID?: string; by?: Caller | undefined }): Promise<void>
}

export function createLetThrough({ room, judge, grants }: LetThroughDeps): LetThrough {
  return {
    async byAnswer(request) {
      const given = await grants.from(request)
      for (const entry of room.all()) {
        const { request: other } = entry
        if (other.id === request.id || isForItself(entry)) continue
        if (given.standing === null && other.rootID !== request.rootID) continue
        if ((await judge(waitingInput(entry), given)).verdict.action !== "allow") continue
        // Meanwhile it may have been answered by itself.
        if (room.get(other.id) === undefined) continue
        await room.settle(entry, { ...request, status: "always", message: null }).catch(unlessAnswered)
      }
    },
    async byNow({ rootID, by } = {}) {
      for (const entry of room.all()) {
        const { request } = entry
        if ((rootID !== undefined && request.rootID !== rootID) || isForItself(entry)) continue
        if ((await judge(waitingInput(entry))).verdict.action !== "allow") continue
        if (room.get(request.id) === undefined) continue
        await room.settle(entry, { status: "once", message: null, ...(by && { by }) }).catch(unlessAnswered)
      }
    },
  }
}

/** Whether nothing but an answer to it lets it go. */
function isForItself({ request, forItself }: Waiting): boolean {
  return forItself === true || isInquiry(request.metadata)
}

/** Whoever answered it meanwhile has the word. */
function unlessAnswered(error: unknown): void {
  if (!isDocketError(error) || error.code !== "permission_request_answered") throw error
}
