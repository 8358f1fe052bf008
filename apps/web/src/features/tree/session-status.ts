import type { Session } from "@docket/core/schema"
import type { Status } from "../../ui/status.ts"

/** How a session stands. `task` is the state of the call that made it, which knows of failures. */
export function sessionStatus(session: Session, task: string | null): Status {
  if (session.status.type !== "idle") return "running"
  if (task === "queued") return "pending"
  if (task === "failed") return "failed"
  if (task === "cancelled" || session.abortedAt !== null) return "stopped"
  return "done"
}
