import type { Mark } from "@docket/core/marks"

/** What a session, tool call or task is doing, as people see it: one shape and one word each, never colour alone. */
export type Status = Mark

export const statusLabel: Record<Status, string> = {
  queued: "Queued",
  running: "Running",
  needs: "Needs you",
  unread: "Unread",
  done: "Done",
  failed: "Failed",
  stopped: "Stopped",
}

/** The marks as characters, for the title of a tab, which holds nothing else. */
export const statusSign: Record<Status, string> = {
  queued: "○",
  running: "◌",
  needs: "!",
  unread: "●",
  done: "✓",
  failed: "✕",
  stopped: "⊘",
}
