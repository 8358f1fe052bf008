import { isDocketError } from "../../ground/error/docket-error.ts"
import type { Turn } from "../../ground/schema/index.ts"

/** Nothing a run could do would help: the schedule pauses until someone has looked. */
const pausing = new Set([
  "project_not_found",
  "project_directory_missing",
  "session_not_found",
  "agent_not_found",
  "model_not_found",
  "provider_not_found",
])

export interface Outcome {
  status: "succeeded" | "failed"
  summary: string
  error: string | null
  /** The schedule cannot run again as things are. */
  pause: boolean
}

const reasons: Record<Turn["status"], string> = {
  completed: "",
  failed: "The turn failed.",
  aborted: "It was stopped.",
  interrupted: "The Docket process stopped while it ran.",
  queued: "The Docket process stopped before it ran.",
  running: "The Docket process stopped while it ran.",
}

export function outcomeOf(turn: Turn, summary: string): Outcome {
  if (turn.status === "completed") return { status: "succeeded", summary, error: null, pause: false }
  return { status: "failed", summary, error: turn.error?.message ?? reasons[turn.status], pause: false }
}

export function failureOf(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error)
  return { status: "failed", summary: "", error: message, pause: isDocketError(error) && pausing.has(error.code) }
}
