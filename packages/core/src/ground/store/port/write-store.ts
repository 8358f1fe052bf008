import type { Change, TurnOwner } from "../../schema/index.ts"
import type { ClosedPermission, TreeBatch } from "./tree-change.ts"

export interface WriteStore {
  /**
   * Applies all batches in one transaction and numbers the changes of each tree gaplessly in the given
   * order. Session patches and todo replacements answer with the whole resulting row or list.
   * @throws StaleTurnError when a fence does not hold; AlreadyMadeError for what is not fresh or not new; UnknownTreeError when the root session does not exist
   *   (a batch whose first mutation creates the root is fine; a removed root does not come back); TaskToldError
   *   when a task that is to be told is not untold; CommentSentError when a comment that is to be sent was; DocketError session_not_found or message_not_found when a row
   *   belongs to one that does not exist. Nothing is applied then.
   */
  commit(batches: TreeBatch[]): Promise<Change[]>
  /**
   * Claims a queued or interrupted turn: running, attempt + 1, epoch + 1. Null when another claim won, it ended, or it
   * has to wait: an earlier turn of the session is queued, or one runs whose owner's lease holds at `now`.
   */
  claimTurn(turnID: string, now: number, owner?: TurnOwner): Promise<Change | null>
  /** Answers a pending request with how it is to be closed. Null when it is no longer pending. */
  closePermission(id: string, closed: ClosedPermission): Promise<Change | null>
  /** Reserves `count` todo numbers of the tenant and returns the first. */
  reserveTodoNumbers(count: number): Promise<number>
}
