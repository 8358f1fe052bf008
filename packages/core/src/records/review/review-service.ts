import type { AnchorState } from "../../ground/message/review-anchor.ts"
import type { ReviewMark, StandingVerdict } from "../../ground/message/review-marks.ts"
import type {
  ReviewComment,
  ReviewDraft,
  ReviewedState,
  ReviewPlace,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  TaskSummary,
  VerdictKind,
} from "../../ground/schema/index.ts"

/** A thread with its comments, oldest first, and where its anchor stands now. */
export interface ThreadView {
  thread: ReviewThread
  comments: ReviewComment[]
  anchor: AnchorState
}

/** What became of a task since somebody said something of it: parts it gained, and whether its files hold something else. */
export interface TaskNews {
  newParts: number
  changed: boolean
}

/** What is said of one task. */
export interface TaskReview {
  taskID: string
  mark: ReviewMark
  /** The verdicts that stand, oldest first, and what came since each was given. */
  verdicts: (StandingVerdict & TaskNews)[]
  /** How far the caller has looked: when (epoch ms) and up to which part. Null when never. */
  viewed: (TaskNews & { at: number; last: ReviewedState["last"] }) | null
  threads: { open: number; resolved: number }
}

/** What is said of all tasks of a tree, by their number. Events after `seq` are not in it. */
export interface ReviewOverview {
  seq: number
  tasks: TaskReview[]
}

/** A task that waits for a verdict. */
export interface UnjudgedTask {
  task: TaskSummary
  /** Title of the root session. */
  title: string
}

/** A draft as it is kept now. */
export interface SavedDraft extends ReviewDraft {
  /** What it said before, when its writer had not seen that: it was written elsewhere meanwhile. */
  replaced?: string
}

/** Whether a draft begins a thread or answers in one. */
export type DraftPlace = { sessionID: string; place: ReviewPlace } | { threadID: string }

/** What people say of the work of agents. An id of another tree or tenant is answered like one that never was. */
export interface ReviewService {
  /** @throws session_not_found */
  overview(sessionID: string): Promise<ReviewOverview>
  /** Threads of the tree that contains the session, or of that session `only`, oldest first. */
  threads(sessionID: string, options?: { only?: boolean | undefined }): Promise<ThreadView[]>
  /** Tasks that end only once somebody has approved them, oldest first. */
  awaiting(): Promise<UnjudgedTask[]>
  /** Tasks without a verdict of the caller, the last to end first. */
  inbox(query: {
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<{ items: UnjudgedTask[]; cursor: string | null }>

  /** @throws invalid_input for a place that is not there, message_not_found, task_not_found */
  createThread(sessionID: string, place: ReviewPlace, text: string): Promise<ThreadView>
  reply(threadID: string, text: string): Promise<ReviewComment>
  /** Of one's own. @throws forbidden for another's */
  editComment(commentID: string, text: string): Promise<ReviewComment>
  deleteComment(commentID: string): Promise<ReviewComment>
  /** With `false` it is open again. */
  resolve(threadID: string, resolved: boolean): Promise<ReviewThread>

  /**
   * Keeps a comment that is being written, for the caller alone. Without `draftID` the one they have at that place, else a
   * new one. The newest text wins; `since` is the `time.updated` that the writer knows of, so that they are told what it
   * replaced.
   */
  saveDraft(draft: {
    draftID?: string | undefined
    place?: DraftPlace | undefined
    text: string
    since?: number | undefined
  }): Promise<SavedDraft>
  /** The caller's own of the tree, oldest first. */
  drafts(sessionID: string): Promise<ReviewDraft[]>
  discardDraft(draftID: string): Promise<void>
  /** Posts these drafts of the tree together, or all of the caller's. One that was posted already is not posted again. */
  postDrafts(sessionID: string, draftIDs?: readonly string[]): Promise<ReviewComment[]>

  /**
   * Sends comments and drafts of one session to its agent or to the one that delegated to it, as one message; drafts are
   * posted by that. An agent that works reads it before its next step; one that has ended goes on, as another task. Its
   * answer is linked to each comment. A sending whose `id` they have is not made again.
   * @throws invalid_input, comment_not_found, comment_sent
   */
  send(
    sending: {
      sessionID: string
      to: "child" | "parent"
      commentIDs?: readonly string[] | undefined
      draftIDs?: readonly string[] | undefined
    },
    id?: string,
  ): Promise<ReviewComment[]>

  /**
   * Judges what the caller saw: `seen` is the newest part before them, else the task as it is now. Parts that came since make
   * the verdict stale at once. @throws task_not_found, invalid_input for a part of another session
   */
  giveVerdict(taskID: string, verdict: VerdictKind, reason: string, seen?: string): Promise<ReviewVerdict>
  /** Takes the caller's back. @throws verdict_not_found when none stands */
  withdrawVerdict(taskID: string): Promise<ReviewVerdict>
  /** All verdicts on a task, oldest first, those that stand no more included. */
  verdicts(taskID: string): Promise<ReviewVerdict[]>
  /** The caller has looked at the task, up to the part `seen` or as it is now, or takes that back. */
  setViewed(taskID: string, viewed: boolean, seen?: string): Promise<ReviewViewed>
}
