import type { PermissionReply, PermissionRequest } from "../schema/index.ts"
import type { Remember } from "./remembered.ts"

/** What may go with a reply. */
export interface ReplyOptions {
  /** The person's words with a rejection. */
  message?: string | undefined
  /** What "always" allows; else what the request offers, in the whole tree. */
  remember?: Remember | undefined
}

export interface PermissionService {
  pending(rootID?: string): Promise<PermissionRequest[]>
  /** @throws permission_request_not_found, permission_request_answered, invalid_input */
  reply(id: string, reply: PermissionReply, options?: ReplyOptions): Promise<PermissionRequest>
}
