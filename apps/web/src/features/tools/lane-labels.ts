import type { TaskTimes } from "@docket/core/task-times"
import { formatCount } from "../../ui/format-count.ts"
import { clockLabel } from "../task/task-clock.tsx"
import type { LaneSpan } from "./lay-out-lanes.ts"

/** Labels of a lane: the times of its task, and the number of failures. `now` is epoch ms. */
export function laneLabels(times: TaskTimes | null, spans: readonly LaneSpan[], now: number): string[] {
  const clock = times === null ? null : clockLabel(times, now)
  const failed = spans.filter(({ kind }) => kind === "error").length
  return [...(clock === null ? [] : [clock]), ...(failed > 0 ? [`${formatCount(failed, "call")} failed`] : [])]
}
