import type { CreateId } from "../../ground/id/create-id.ts"
import type { PermissionMetadata, PermissionRequest, Session } from "../../ground/schema/index.ts"
import type { PermissionAsk } from "./permission-ask.ts"

/** Who asks, and for what. */
interface Asked {
  session: Session
  messageID: string
  callID: string
  request: Pick<PermissionAsk, "permission" | "patterns" | "always" | "unknown">
}

/** A request that nobody has answered yet. */
export function newRequest(
  deps: { createID: CreateId; clock: () => number },
  { session, request, messageID, callID }: Asked,
  metadata: PermissionMetadata,
): PermissionRequest {
  return {
    id: deps.createID("permission"),
    rootID: session.rootID,
    sessionID: session.id,
    messageID,
    callID,
    permission: request.permission,
    patterns: request.patterns,
    always: request.always,
    ...(request.unknown && { unknown: request.unknown }),
    metadata,
    status: "pending",
    message: null,
    time: { created: deps.clock(), replied: null },
  }
}
