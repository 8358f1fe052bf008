import type { TaskState } from "@docket/core/schema"
import { Ban, Check, Circle, CircleAlert, LoaderCircle, TimerOff, Unplug, X } from "lucide-react"
import status from "../../ui/status.module.css"
import { taskStateLabel, taskStatus } from "./task-state.ts"

const glyphs = {
  queued: Circle,
  running: LoaderCircle,
  completed: Check,
  failed: X,
  cancelled: Ban,
  timed_out: TimerOff,
  interrupted: Unplug,
} satisfies Record<TaskState, unknown>

/** A task's state as a shape of its own and a colour. `needsYou`: a request in it waits for an answer. */
export function TaskGlyph({ state, needsYou = false }: { state: TaskState; needsYou?: boolean }) {
  const Glyph = needsYou ? CircleAlert : glyphs[state]
  const label = needsYou ? "Needs you" : taskStateLabel[state]
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`${status.glyph} ${status[needsYou ? "needs" : taskStatus[state]]}`}
    >
      <Glyph size={14} strokeWidth={2.25} aria-hidden />
    </span>
  )
}
