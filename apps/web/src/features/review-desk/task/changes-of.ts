import type { StepChange, TaskReview } from "@docket/core"
import type { ChangedFile } from "../../changed-files/changed-files.ts"

/** What a task changed, or with null what the root session did by itself. */
export function changesOf(changes: readonly StepChange[], taskID: string | null): StepChange[] {
  return changes.filter((change) => change.taskID === taskID)
}

/** Whether a file was changed since the reader looked. Ids of messages ascend; a reader who never looked has no mark. */
export function isNewSince({ changes }: Pick<ChangedFile, "changes">, viewed: TaskReview["viewed"]): boolean {
  const last = viewed?.last
  return last != null && changes.some(({ messageID }) => messageID > last.messageID)
}
