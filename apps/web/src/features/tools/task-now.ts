import { plainText } from "../../ui/plain-text.ts"
import type { TaskStep, TaskView } from "./read-task.ts"
import { toolLabel } from "./tool-label.ts"

/** What a task does now, or its result, on one line. `needsYou`: a request in it waits for an answer. */
export function taskNow(task: TaskView, needsYou: boolean): string {
  if (needsYou) return "Waits for an answer"
  if (task.state === "queued") return "Waits for a free place"
  if (task.state === "running") {
    if (task.current) return stepText(task.current)
    return task.toolCount > 0 ? "Working" : "Starting"
  }
  if (task.state === "awaiting_review") return "Waits for a review"
  if (task.state === "failed") return beginning(task.error) ?? "Failed"
  if (task.state === "cancelled") return beginning(task.error) ?? "Cancelled"
  if (task.state === "timed_out") return "Ran out of time"
  if (task.state === "interrupted") return "Interrupted"
  return beginning(task.result) ?? "Finished"
}

function stepText(step: TaskStep): string {
  return `${toolLabel(step.tool)} ${step.title ?? ""}`.trim()
}

/** Longer text does not fit on a line (UTF-16 units). */
const shownText = 300

/** The beginning of a text, on one line without Markdown syntax. */
function beginning(text: string | null): string | null {
  return text === null ? null : plainText(text.slice(0, shownText)) || null
}
