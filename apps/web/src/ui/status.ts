import type { WorkStatus } from "@docket/core/work-status"

/** The status of a session, tool call or task: one shape and one word each, never colour alone. */
export type Status = WorkStatus

export const statusLabel: Record<Status, string> = {
  queued: "Queued",
  running: "Running",
  needs: "Needs you",
  away: "Waits for a host",
  unread: "Unread",
  done: "Done",
  failed: "Failed",
  stopped: "Stopped",
}

/** Characters for the statuses, for tab titles, which can contain only text. */
export const statusSign: Record<Status, string> = {
  queued: "○",
  running: "◌",
  needs: "!",
  away: "⌁",
  unread: "●",
  done: "✓",
  failed: "✕",
  stopped: "⊘",
}
