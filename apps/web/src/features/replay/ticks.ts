import type { ReplayAxis, Stop } from "@docket/core/replay"

export interface Tick {
  kind: "prompt" | "error" | "wait"
  /** Position on the line in per cent. */
  left: number
}

/** Number of positions on the line that are distinguished. */
const positions = 400

/** Ticks for the milestones on the line: one per kind and position; failures are drawn last. */
export function ticksOf(stops: readonly Stop[], axis: ReplayAxis): Tick[] {
  const ticks = new Map<string, Tick>()
  for (const { at, kind } of stops) {
    if (kind === "other") continue
    const place = Math.round(axis.positionOf(at) * positions)
    ticks.set(`${kind}:${place}`, { kind, left: (place / positions) * 100 })
  }
  const order = { prompt: 0, wait: 1, error: 2 }
  return [...ticks.values()].sort((a, b) => order[a.kind] - order[b.kind] || a.left - b.left)
}
