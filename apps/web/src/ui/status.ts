/** What a session, tool call or task is doing, as people see it. Never shown by colour alone. */
export type Status = "pending" | "running" | "needs" | "done" | "failed" | "stopped"

export const statusLabel: Record<Status, string> = {
  pending: "Waiting",
  running: "Running",
  needs: "Needs you",
  done: "Done",
  failed: "Failed",
  stopped: "Stopped",
}
