import type { PermissionReply, PermissionRequest, QuestionAnswer } from "../schema/index.ts"
import type { ListedGrants } from "./listed-grants.ts"
import type { Remember } from "./remembered.ts"

/** What may go with a reply. */
export interface ReplyOptions {
  /** The person's words with a rejection. */
  message?: string | undefined
  /** What "always" allows, and how far; else what the request offers, in the whole tree. */
  remember?: Remember | undefined
}

export interface PermissionService {
  pending(rootID?: string): Promise<PermissionRequest[]>
  /** @throws permission_request_not_found, permission_request_answered, invalid_input */
  reply(id: string, reply: PermissionReply, options?: ReplyOptions): Promise<PermissionRequest>
  /** What was allowed for good and counts still. */
  grants(): Promise<ListedGrants>
  /** It counts no more. @throws grant_not_found */
  revoke(grantID: string): Promise<void>
  /** Answers an inquiry, each of its questions in turn. @throws as `reply` */
  answer(id: string, answers: readonly QuestionAnswer[]): Promise<PermissionRequest>
}
