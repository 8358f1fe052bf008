import type { AnchorState } from "../../ground/message/review-anchor.ts"
import type { ReviewStatus, StandingVerdict } from "../../ground/message/review-status.ts"
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

/** A thread with its comments, oldest first, and the current place of its anchor. */
export interface ThreadView {
  thread: ReviewThread
  comments: ReviewComment[]
  anchor: AnchorState
}

/** How a task changed since it was reviewed: new parts, and whether its files differ. */
export interface TaskNews {
  newParts: number
  changed: boolean
}

/** The review of one task. */
export interface TaskReview {
  taskID: string
  mark: ReviewStatus
  /** The valid verdicts, oldest first, with the changes since each. */
  verdicts: (StandingVerdict & TaskNews)[]
  /** When the caller last looked (epoch ms), and up to which part; null for never. */
  viewed: (TaskNews & { at: number; last: ReviewedState["last"] }) | null
  threads: { open: number; resolved: number }
}

/** The reviews of all tasks of a tree, by task number, up to the event `seq`. */
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

/** A draft as it is stored. */
export interface SavedDraft extends ReviewDraft {
  /** The replaced text, when it was written elsewhere and the caller had not seen it. */
  replaced?: string
}

/** Whether a draft starts a thread or replies in one. */
export type DraftPlace = { sessionID: string; place: ReviewPlace } | { threadID: string }

/** Comments and verdicts on the work of agents. An id of another tree or tenant is treated as unknown. */
export interface ReviewService {
  /** @throws session_not_found */
  overview(sessionID: string): Promise<ReviewOverview>
  /** Threads of the tree that contains the session, or of that session `only`, oldest first. */
  threads(sessionID: string, options?: { only?: boolean | undefined }): Promise<ThreadView[]>
  /** Tasks that wait for an approval, oldest first. */
  awaiting(): Promise<UnjudgedTask[]>
  /** Tasks without a verdict of the caller, newest end first. */
  inbox(query: {
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<{ items: UnjudgedTask[]; cursor: string | null }>

  /** @throws invalid_input for a place that does not exist, message_not_found, task_not_found */
  createThread(sessionID: string, place: ReviewPlace, text: string): Promise<ThreadView>
  reply(threadID: string, text: string): Promise<ReviewComment>
  /** @throws forbidden when the comment is another person's */
  editComment(commentID: string, text: string): Promise<ReviewComment>
  deleteComment(commentID: string): Promise<ReviewComment>
  /** `false` opens it again. */
  resolve(threadID: string, resolved: boolean): Promise<ReviewThread>

  /**
   * Stores a draft for the caller alone. Without `draftID` it is the caller's draft at that place, or a new one. The newest
   * text wins. `since` is the `time.updated` that the caller knows: if the draft is newer, the answer has the replaced text.
   */
  saveDraft(draft: {
    draftID?: string | undefined
    place?: DraftPlace | undefined
    text: string
    since?: number | undefined
  }): Promise<SavedDraft>
  /** The caller's drafts in the tree, oldest first. */
  drafts(sessionID: string): Promise<ReviewDraft[]>
  discardDraft(draftID: string): Promise<void>
  /** Posts these drafts of the tree together, or all of the caller's. Posted drafts are skipped. */
  postDrafts(sessionID: string, draftIDs?: readonly string[]): Promise<ReviewComment[]>

  /**
   * Sends comments and drafts of one session, as one message, to its agent or to the agent that delegated to it. Drafts are
   * posted. A running agent reads the message before its next step; an ended one continues in a new task. Its answer is
   * linked to each comment. A sending with a known `id` is not repeated.
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
   * Judges what the caller saw: the task up to the part `seen`, or its current state. Later parts make the verdict stale.
   * @throws task_not_found, invalid_input for a part of another session
   */
  giveVerdict(taskID: string, verdict: VerdictKind, reason: string, seen?: string): Promise<ReviewVerdict>
  /** Withdraws the caller's verdict. @throws verdict_not_found when there is none */
  withdrawVerdict(taskID: string): Promise<ReviewVerdict>
  /** All verdicts on a task, oldest first, with withdrawn and replaced ones. */
  verdicts(taskID: string): Promise<ReviewVerdict[]>
  /** Marks the task as looked at by the caller, up to the part `seen` or its current state, or removes the mark. */
  setViewed(taskID: string, viewed: boolean, seen?: string): Promise<ReviewViewed>
}
