import { formatDuration } from "@docket/core/duration"
import type { ReasoningPart } from "@docket/core/schema"

/** Shorter reasoning shows no duration (ms). */
const worthTelling = 100

/** "Thought for 3.2 s" */
export function thoughtFor({ time }: ReasoningPart): string {
  const took = time.end === null ? 0 : time.end - time.start
  return took < worthTelling ? "Thought" : `Thought for ${formatDuration(took)}`
}
