import type { TaskSummary } from "@docket/core/schema"
import { hasEnded } from "./task-state.ts"

/** How a user can talk to the child session of a task: with a message while it works, by resuming it afterwards. */
export type ChildMessaging = { how: "message" | "resume" } | { how: null; why: string }

export function childMessaging({ state, worktree }: Pick<TaskSummary, "state" | "worktree">): ChildMessaging {
  if (!hasEnded(state)) return { how: "message" }
  if (worktree?.state === "merged" || worktree?.state === "removed")
    return {
      how: null,
      why: `Its worktree is gone (${worktree.state}), so it cannot go on. Run the task again instead.`,
    }
  return { how: "resume" }
}
