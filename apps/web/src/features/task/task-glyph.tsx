import type { TaskState } from "@docket/core/schema"
import { taskStatus } from "@docket/core/work-status"
import { StatusGlyph } from "../../ui/status-glyph.tsx"

/** The status glyph of a task. `needsYou`: one of its requests waits for an answer. */
export function TaskGlyph({ state, needsYou = false }: { state: TaskState; needsYou?: boolean }) {
  return <StatusGlyph status={needsYou ? "needs" : taskStatus(state)} />
}
