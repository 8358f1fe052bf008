import { formatDuration } from "../../ui/format.ts"
import { formatCount } from "../../ui/format-count.ts"
import type { LaneStretch } from "./lay-out-lanes.ts"

/** What the ticks of a lane say, in words; none for a lane in which nothing stood out. `now` is epoch ms. */
export function laneWords(stretches: readonly LaneStretch[], now: number): string[] {
  const time = (kind: LaneStretch["kind"]) =>
    stretches.reduce((sum, stretch) => (stretch.kind === kind ? sum + (stretch.until ?? now) - stretch.from : sum), 0)
  const [queued, waited] = [time("queued"), time("wait")]
  const failed = stretches.filter(({ kind }) => kind === "error").length
  return [
    ...(queued >= shortest ? [`${formatDuration(queued)} in the queue`] : []),
    ...(waited > 0 ? [`waited ${formatDuration(waited)} for an answer`] : []),
    ...(failed > 0 ? [`${formatCount(failed, "call")} failed`] : []),
  ]
}

/** A task is queued for a moment even where there is room (ms). */
const shortest = 1_000
