/** A longer time in which nothing happened (ms) takes no more room than this. */
const longestGap = 300_000

/** Times of a replay on a line from 0 to 1, on which long times without any event are folded. */
export interface ReplayAxis {
  from: number
  until: number
  positionOf(at: number): number
  timeAt(position: number): number
  /** The time that playing reaches in `ms`, from the time `at`. */
  after(at: number, ms: number): number
}

/** @param stops times at which something happened (epoch ms), in order */
export function replayAxis(stops: readonly number[]): ReplayAxis {
  const from = stops[0] ?? 0
  const until = stops.at(-1) ?? 0
  /**
   * The stretches between two stops, in ms: where each begins, in time (`at`) and on the folded line (`start`), and how
   * long it is, in time (`long`) and there (`folded`).
   */
  const spans: { at: number; start: number; long: number; folded: number }[] = []
  let length = 0
  for (const [index, at] of stops.entries()) {
    const next = stops[index + 1]
    if (next === undefined || next === at) continue
    const folded = Math.min(next - at, longestGap)
    spans.push({ at, start: length, long: next - at, folded })
    length += folded
  }
  const offsetOf = (at: number) => {
    const span = spans.findLast((it) => it.at <= at)
    if (span === undefined) return 0
    return span.start + Math.min(1, (at - span.at) / span.long) * span.folded
  }
  const atOffset = (offset: number) => {
    if (offset >= length) return until
    const span = spans.findLast((it) => it.start <= offset)
    return span === undefined ? from : span.at + ((offset - span.start) / span.folded) * span.long
  }
  return {
    from,
    until,
    positionOf: (at) => (length === 0 ? 1 : offsetOf(Math.min(at, until)) / length),
    timeAt: (position) => Math.round(atOffset(Math.max(0, Math.min(1, position)) * length)),
    after: (at, ms) => Math.round(atOffset(offsetOf(at) + ms)),
  }
}

/** The first stop after a time, or the last before it with `side` -1; null when there is none. */
export function stopFrom(stops: readonly number[], at: number, side: 1 | -1): number | null {
  const found = side === 1 ? stops.find((stop) => stop > at) : stops.findLast((stop) => stop < at)
  return found ?? null
}
