import { missingSessionText } from "./missing-session-text.ts"

/** Codes of expected failures. The API maps each to a tRPC code and an HTTP status. */
export type DocketErrorCode =
  | "forbidden"
  | "session_not_found"
  | "session_busy"
  | "project_not_found"
  | "project_directory_missing"
  | "directory_not_allowed"
  | "message_not_found"
  | "output_not_found"
  | "attachment_not_found"
  | "attachments_full"
  | "blobs_unavailable"
  | "content_missing"
  | "permission_request_not_found"
  | "permission_request_answered"
  | "grant_not_found"
  | "left_changed"
  | "left_not_kept"
  | "turn_not_found"
  | "share_not_found"
  | "share_changed"
  | "share_disabled"
  | "todo_not_found"
  | "todo_blocked"
  | "todo_cycle"
  | "task_not_found"
  | "task_ended"
  | "task_told"
  | "thread_not_found"
  | "comment_not_found"
  | "comment_sent"
  | "verdict_not_found"
  | "review_required"
  | "already_made"
  | "memory_not_found"
  | "schedule_not_found"
  | "schedule_phrase_invalid"
  | "tenant_not_found"
  | "workspace_not_found"
  | "person_not_found"
  | "invitation_not_found"
  | "sign_in_not_found"
  | "sign_in_unavailable"
  | "key_not_found"
  | "webhook_not_found"
  | "delivery_not_found"
  | "link_not_found"
  | "already_member"
  | "last_owner"
  | "last_operator"
  | "last_way_in"
  | "too_many_keys"
  | "too_many_requests"
  | "wrong_password"
  | "signed_out"
  | "role_forbidden"
  | "no_team"
  | "token_not_found"
  | "node_not_found"
  | "worktree_failed"
  | "repository_refused"
  | "repository_unavailable"
  | "credential_not_found"
  | "credential_refused"
  | "agent_not_found"
  | "command_not_found"
  | "model_not_found"
  | "variant_not_found"
  | "provider_not_found"
  | "no_model_available"
  | "package_missing"
  | "package_not_found"
  | "package_unavailable"
  | "package_invalid"
  | "package_changed"
  | "config_invalid"
  | "config_changed"
  | "file_not_written"
  | "invalid_input"
  | "unknown_key"
  | "plan_not_found"
  | "plan_changed"
  | "prompt_too_large"
  | "depth_limit"
  | "stale_turn"
  | "unknown_tree"
  | "data_directory_locked"
  | "port_in_use"
  | "unsafe_bind"
  | "store_unavailable"
  | "host_away"

/** An expected failure. `message` says what is wrong and what to do. */
export class DocketError extends Error {
  readonly code: DocketErrorCode
  constructor(code: DocketErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = "DocketError"
    this.code = code
  }
}

/** Another runner has taken over the writer's turn; the writer must stop at once. */
export class StaleTurnError extends DocketError {
  constructor(turnID: string) {
    super("stale_turn", `turn ${turnID} was taken over by another runner`)
  }
}

/** Another node may work on the tree by now: nothing more of it is stored here. */
export class TreeLostError extends StaleTurnError {
  constructor(rootID: string) {
    super(rootID)
    this.message = `another Docket node goes on with the session ${rootID}`
  }
}

/** The end of a background task has reached its parent: it is not told again. */
export class TaskDeliveredError extends DocketError {
  constructor(taskID: string) {
    super("task_told", `The end of task ${taskID} was told already.`)
  }
}

/** A comment went to an agent already, or was deleted: it is not sent. */
export class CommentSentError extends DocketError {
  constructor(commentID: string) {
    super("comment_sent", `The comment ${commentID} was sent already, or is deleted. Look at its thread.`)
  }
}

/** Another request with the same key has created the row meanwhile. */
export class AlreadyMadeError extends DocketError {
  constructor(id: string) {
    super("already_made", `${id} is there already.`)
  }
}

/** Something was asked for too often. */
export class TooManyRequestsError extends DocketError {
  /** How long to wait. */
  readonly seconds: number
  constructor(seconds: number, what: string) {
    const [count, unit] = seconds < 90 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"]
    super("too_many_requests", `${what}. Try again in ${count} ${unit}${count === 1 ? "" : "s"}.`)
    this.seconds = seconds
  }
}

export class UnknownTreeError extends DocketError {
  constructor(rootID: string) {
    super("unknown_tree", missingSessionText(rootID))
  }
}

export function isDocketError(error: unknown): error is DocketError {
  return error instanceof DocketError
}
