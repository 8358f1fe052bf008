/**
 * A span of a lane in epoch ms; `until` is null while it lasts. A lane is `queued`, does its `work`, and takes a `rest`
 * while others work for it. It can also `wait` for a user, or fail (`error`, a single point in time).
 */
export interface LaneSpan {
  kind: "queued" | "work" | "rest" | "wait" | "error"
  from: number
  until: number | null
}

export interface LaneLayout {
  /** Spans of each lane in ms of the displayed time, clipped to it. */
  lanes: (readonly LaneSpan[])[]
  /** Width of the displayed time in ms: the common time without long idle spans. */
  total: number
  /** Where idle time was cut out. */
  cuts: number[]
  /** Epoch ms of the start of the first span and the end of the last one; null while one lasts. */
  from: number
  until: number | null
  /** Position of a time (epoch ms), in ms of the displayed time. */
  placeOf(time: number): number
  /** Time (epoch ms) at a position. Within a cut it is the end of the span before the cut. */
  timeAt(place: number): number
}

/** Idle time longer than this (ms) is cut out. */
const longIdle = 5 * 60_000
/** Width of a cut, as a share of the busy time. */
const cutShare = 0.02

/**
 * Lays lanes out over their common time. The `main` lanes define that time; `clipped` lanes show only what falls into
 * it, and come first. `now` is epoch ms.
 */
export function layOutLanes(
  main: readonly (readonly LaneSpan[])[],
  now: number,
  clipped: readonly (readonly LaneSpan[])[] = [],
): LaneLayout {
  const all = main.flat()
  const spans = all.map(({ from, until }) => ({ from, end: Math.max(from, until ?? now) }))
  const scale = cutIdle(spans.toSorted((a, b) => a.from - b.from))
  const from = Math.min(...spans.map((span) => span.from))
  const end = Math.max(...spans.map((span) => span.end))
  const lasts = all.some(({ until }) => until === null)
  const place = ({ kind, ...span }: LaneSpan): LaneSpan[] => {
    const until = span.until ?? now
    if (span.from > end || until < from) return []
    // A span that continues beyond the displayed time ends with it.
    const continues = span.until === null && lasts
    return [{ kind, from: scale.placeOf(span.from), until: continues ? null : scale.placeOf(until) }]
  }
  return {
    lanes: [...clipped, ...main].map((lane) => lane.flatMap(place)),
    total: scale.total,
    cuts: scale.cuts,
    from: all.length === 0 ? now : from,
    until: lasts || all.length === 0 ? null : end,
    placeOf: scale.placeOf,
    timeAt: scale.timeAt,
  }
}

/** A scale in ms without long idle spans. `all` are sorted by `from`. */
function cutIdle(all: readonly { from: number; end: number }[]) {
  const spans: { from: number; end: number }[] = []
  for (const { from, end } of all) {
    const last = spans.at(-1)
    if (last && from - last.end <= longIdle) last.end = Math.max(last.end, end)
    else spans.push({ from, end })
  }
  const busy = spans.reduce((sum, { from, end }) => sum + end - from, 0)
  const cut = Math.max(1, busy * cutShare)
  let start = 0
  const placed = spans.map((span) => {
    const own = { ...span, start }
    start += span.end - span.from + cut
    return own
  })
  return {
    total: Math.max(1, start - cut),
    cuts: placed.slice(1).map((span) => span.start - cut / 2),
    timeAt(place: number) {
      const span = placed.findLast(({ start }) => start <= place) ?? placed[0]
      return span ? Math.min(span.end, span.from + Math.max(0, place - span.start)) : 0
    },
    placeOf(time: number) {
      const span = placed.findLast(({ from }) => from <= time) ?? placed[0]
      return span ? span.start + Math.max(0, Math.min(time, span.end) - span.from) : 0
    },
  }
}
