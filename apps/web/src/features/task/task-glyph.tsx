import type { TaskState } from "@docket/core/schema"
import { taskStatus } from "@docket/core/work-status"
import { StatusGlyph } from "../../ui/status-glyph.tsx"

interface TaskGlyphProps {
  state: TaskState
  /** One of its requests waits for an answer. */
  needsYou?: boolean
  /** The work of its tree waits for a host. */
  isAway?: boolean
}

/** The status glyph of a task. */
export function TaskGlyph({ state, needsYou = false, isAway = false }: TaskGlyphProps) {
  return <StatusGlyph status={needsYou ? "needs" : taskStatus(state, isAway)} />
}
