import type {
  ReviewComment,
  ReviewDraft,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  TaskSummary,
} from "../../schema/index.ts"
import type { Page } from "../page.ts"

/** What people said of a tree, each oldest first. */
export interface TreeReviews {
  threads: ReviewThread[]
  comments: ReviewComment[]
  verdicts: ReviewVerdict[]
  viewed: ReviewViewed[]
}

/** A place in the transcript of a session, under a name of the caller's. */
export interface PartMark {
  key: string
  sessionID: string
  last: { messageID: string; partID: string } | null
}

export interface ReviewStore {
  thread(id: string): Promise<ReviewThread | null>
  comment(id: string): Promise<ReviewComment | null>
  verdict(id: string): Promise<ReviewVerdict | null>
  tree(rootID: string): Promise<TreeReviews>
  /** Comments that the agent of this session has read and not answered. */
  unanswered(sessionID: string): Promise<ReviewComment[]>
  /** How many parts that a reader sees came after each mark, by key; nothing for none. */
  newParts(marks: readonly PartMark[]): Promise<Record<string, number>>
  /**
   * Tasks that have ended and of which the person has no verdict that stands, the last to end first. Those of archived
   * trees and sessions are left out.
   */
  unjudged(query: { person: string; limit: number; cursor?: string | undefined }): Promise<Page<TaskSummary>>
  draft(id: string): Promise<ReviewDraft | null>
  /** The person's own, of one tree, oldest first. */
  drafts(person: string, rootID: string): Promise<ReviewDraft[]>
  /** @throws DocketError session_not_found when it is of a session that does not exist */
  putDraft(draft: ReviewDraft): Promise<void>
  removeDrafts(ids: readonly string[]): Promise<void>
}
