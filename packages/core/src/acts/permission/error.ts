import type { Caller, PermissionRule } from "../../ground/schema/index.ts"

interface DenialOptions {
  reason?: string | undefined
  /** The mode that forbids the call; without it, the user's rules do. */
  mode?: PermissionRule["mode"]
}

const untilApproval = "This holds until a person approves the plan: put it into the plan, or say what you need"

/** The rules or the mode forbid the call. */
export class PermissionDeniedError extends Error {
  constructor(permission: string, pattern: string, { reason, mode }: DenialOptions = {}) {
    const why = reason ? ` (${reason})` : ""
    super(
      mode === "plan"
        ? `Plan mode does not allow ${permission} on ${JSON.stringify(pattern)}${why}. ${untilApproval}. Do not try it again another way.`
        : `The user's rules do not allow ${permission} on ${JSON.stringify(pattern)}${why}. ` +
            "Do not try it again another way; go on without it or tell the user what you need.",
    )
    this.name = "PermissionDeniedError"
  }
}

/** The user rejected the call. Without a message the turn stops; with one, the model reads it and continues. */
export class PermissionRejectedError extends Error {
  readonly feedback: string | null
  /** The user who rejected the call, if known. */
  readonly by: Caller | undefined
  constructor(feedback: string | null, by?: Caller) {
    super(
      feedback === null
        ? "The user rejected this tool call."
        : `The user rejected this tool call and says: ${feedback}`,
    )
    this.name = "PermissionRejectedError"
    this.feedback = feedback
    this.by = by
  }
}
