import { taskMark } from "@docket/core/marks"
import type { TaskState } from "@docket/core/schema"
import { StatusGlyph } from "../../ui/status-glyph.tsx"

/** The mark of a task. `needsYou`: a request in it waits for an answer. */
export function TaskGlyph({ state, needsYou = false }: { state: TaskState; needsYou?: boolean }) {
  return <StatusGlyph status={needsYou ? "needs" : taskMark(state)} />
}
