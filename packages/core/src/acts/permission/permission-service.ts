import type { PermissionReply, PermissionRequest, QuestionAnswer } from "../../ground/schema/index.ts"
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
  /**
   * Puts back what a command of a session left and could not keep, by the id in its result, and lets commands of the project
   * leave it with this content from now on. It is one of `grants`.
   * @throws session_not_found, left_not_kept, left_changed
   */
  allowLeft(sessionID: string, id: string): Promise<void>
  /** Answers an inquiry, each of its questions in turn. @throws as `reply` */
  answer(id: string, answers: readonly QuestionAnswer[]): Promise<PermissionRequest>
}
