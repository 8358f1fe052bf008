import { isDeepStrictEqual } from "node:util"
import type { PermissionRequest } from "../../ground/schema/index.ts"

type Call = Pick<PermissionRequest, "sessionID" | "messageID" | "callID">

/**
 * Requests of calls that a process left when it ended. The calls are made again: each finds what it asked before, with
 * the answer if there is one.
 */
export interface KeptRequests {
  keep(requests: readonly PermissionRequest[]): void
  has(id: string): boolean
  /** The request by which the call asked the same before; null when it did not. */
  find(call: Call, asked: Pick<PermissionRequest, "permission" | "patterns">): PermissionRequest | null
  remove(id: string): void
  /** Takes out those of a call. */
  release(call: Call): PermissionRequest[]
}

export function createKeptRequests(): KeptRequests {
  const kept = new Map<string, PermissionRequest>()
  const ofCall = ({ sessionID, messageID, callID }: Call) =>
    [...kept.values()].filter(
      (request) => request.sessionID === sessionID && request.messageID === messageID && request.callID === callID,
    )
  return {
    keep(requests) {
      for (const request of requests) kept.set(request.id, request)
    },
    has: (id) => kept.has(id),
    find: (call, { permission, patterns }) =>
      ofCall(call).find(
        (request) => request.permission === permission && isDeepStrictEqual(request.patterns, patterns),
      ) ?? null,
    remove: (id) => void kept.delete(id),
    release(call) {
      const left = ofCall(call)
      for (const { id } of left) kept.delete(id)
      return left
    },
  }
}
