import type { Usage } from "../../message/usage.ts"
import type {
  Message,
  Part,
  PermissionRequest,
  ReviewComment,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Session,
  SessionNote,
  Task,
  Todo,
  TodoChange,
  Turn,
} from "../../schema/index.ts"

/** Fields of a session that change after creation. */
export type SessionPatch = Partial<
  Pick<
    Session,
    | "title"
    | "directory"
    | "repository"
    | "agent"
    | "model"
    | "variant"
    | "permission"
    | "plan"
    | "preset"
    | "status"
    | "cost"
    | "tokens"
    | "abortedAt"
    | "revert"
    | "described"
    | "stop"
    | "writtenBy"
    | "tree"
    | "visibility"
    | "ended"
    | "time"
  >
>

/**
 * One change to a tree, as a writer asks for it. `quiet` commits text for crash safety without an
 * event: live readers already hold it from deltas.
 */
export type Mutation =
  | { kind: "session"; value: Session }
  | { kind: "session.patch"; sessionID: string; patch: SessionPatch }
  /** Adds to the session's notes. */
  | { kind: "session.note"; sessionID: string; value: SessionNote }
  /** Takes notes out that were read; those that are gone already do not matter. */
  | { kind: "session.notes.read"; sessionID: string; ids: string[] }
  /** Adds what a call of a model used to the session's sums. */
  | { kind: "session.used"; sessionID: string; used: Usage }
  /** A person has read the transcript up to the end at this time (ms); an earlier one changes nothing. */
  | { kind: "session.read"; sessionID: string; person: string; at: number }
  /** Removes the session with its whole subtree and all rows of it: one change, for which readers drop the subtree. */
  | { kind: "session.remove"; sessionID: string }
  | { kind: "message"; value: Message }
  | { kind: "message.remove"; sessionID: string; messageID: string }
  | { kind: "part"; value: Part; quiet?: boolean }
  | { kind: "part.remove"; sessionID: string; messageID: string; partID: string }
  /** Replaces the session's list; items that are missing here are deleted. */
  | { kind: "todos"; sessionID: string; value: Todo[]; changes?: TodoChange[] }
  /** Inserts or replaces one item of the session's list. Answers, like a replacement, with the whole list. */
  | { kind: "todo"; sessionID: string; value: Todo; change: TodoChange }
  | { kind: "todo.remove"; sessionID: string; todoID: string; change: TodoChange }
  | { kind: "permission"; value: PermissionRequest }
  /** With `job`, whoever runs turns for the database gets a job for the tree in the same commit, if it was given one. */
  | { kind: "turn"; value: Turn; job?: true }
  | { kind: "task"; value: Task }
  /** A task under the tree's next number, in place of its own. */
  | { kind: "task.new"; value: Task }
  /** The parent is told that the background task has ended. Refused, with its whole batch, when it knows by now. */
  | { kind: "task.told"; taskID: string }
  | { kind: "thread"; value: ReviewThread }
  /** A new comment; one that is there stays as it is. */
  | { kind: "comment"; value: ReviewComment }
  /** Changes a comment as it is by then. Of one that is gone there is nothing to change, and no change. */
  | { kind: "comment.change"; commentID: string; change: CommentChange }
  | { kind: "verdict"; value: ReviewVerdict }
  | { kind: "viewed"; value: ReviewViewed }

/** The changes that are possible for a comment. */
export type CommentChange =
  | { kind: "edited"; text: string; mentions: string[]; at: number }
  | { kind: "deleted"; at: number }
  /**
   * It goes to an agent. Refused, with its whole batch, when another sending than `instead` has it, or it is deleted.
   */
  | { kind: "sent"; sent: NonNullable<ReviewComment["sent"]>; instead: string | null }
  /** The agent reads it in this message. */
  | { kind: "read"; sendingID: string; messageID: string }
  /** The agent's turn has ended with this message. */
  | { kind: "answered"; messageID: string }

/** A turn at the epoch of a claim. */
export interface Fence {
  turnID: string
  epoch: number
}

/**
 * Mutations of one tree that commit together. With `fence`, only while that turn still has that epoch; with `fresh`,
 * only while there is no session and no turn of that id; with `onlyNew`, only while there is no row of any id in it.
 */
export interface TreeBatch {
  rootID: string
  fence?: Fence | readonly Fence[]
  fresh?: string
  onlyNew?: true
  mutations: Mutation[]
}

/** How a permission request ends. */
export interface ClosedPermission extends Pick<PermissionRequest, "message" | "by" | "remembered" | "answers"> {
  status: Exclude<PermissionRequest["status"], "pending">
  /** Epoch ms. */
  replied: number
}
