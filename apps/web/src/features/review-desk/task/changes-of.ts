import type { StepChange, TaskReview } from "@docket/core"
import type { ChangedFile } from "../../changed-files/changed-files.ts"

/** The changes of a task; for null, those of the root session itself. */
export function changesOf(changes: readonly StepChange[], taskID: string | null): StepChange[] {
  return changes.filter((change) => change.taskID === taskID)
}

/**
 * Whether a file was changed since the user's last look. Message ids ascend. A user who never looked has no `viewed`.
 */
export function isNewSince({ changes }: Pick<ChangedFile, "changes">, viewed: TaskReview["viewed"]): boolean {
  const last = viewed?.last
  return last != null && changes.some(({ messageID }) => messageID > last.messageID)
}
