import { formatDuration } from "@docket/core/duration"
import { formatCount } from "../../ui/format-count.ts"
import type { LaneStretch } from "./lay-out-lanes.ts"

/** What the ticks of a lane say, in words; none for a lane in which nothing stood out. `now` is epoch ms. */
export function laneWords(stretches: readonly LaneStretch[], now: number): string[] {
  const time = (wanted: LaneStretch["kind"]) => {
    let [sum, end] = [0, 0]
    // Requests that overlap hold it up once.
    for (const { from, until } of stretches.filter(({ kind }) => kind === wanted)) {
      sum += Math.max(0, (until ?? now) - Math.max(from, end))
      end = Math.max(end, until ?? now)
    }
    return sum
  }
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
