/**
 * A stretch of a lane in epoch ms; `until` is null while it lasts. A lane is `queued`, does its `work`, takes a `rest`
 * while others work for it, and beside that waits for a person (`wait`) or fails at something (`error`, a moment).
 */
export interface LaneSpan {
  kind: "queued" | "work" | "rest" | "wait" | "error"
  from: number
  until: number | null
}

export interface LaneLayout {
  /** Stretches of each lane in ms of the shown time, within it. */
  lanes: (readonly LaneSpan[])[]
  /** Width of what is shown, in ms: the common time without long idle stretches. */
  total: number
  /** Where idle time was cut out. */
  cuts: number[]
  /** Epoch ms of the first stretch and of the end of the last one, null while one lasts. */
  from: number
  until: number | null
  /** Where a moment (epoch ms) is shown, in ms of the shown time. */
  placeOf(time: number): number
  /** Which moment (epoch ms) is shown at a place; within a cut the end of what stands before it. */
  timeAt(place: number): number
}

/** Idle time longer than this (ms) is cut out. */
const longIdle = 5 * 60_000
/** What a cut leaves of it, as a share of the busy time. */
const cutShare = 0.02

/**
 * Lays lanes over their common time, which `main` lanes set; `beside` are shown as far as they lie in it, and come first.
 * `now` is epoch ms.
 */
export function layOutLanes(
  main: readonly (readonly LaneSpan[])[],
  now: number,
  beside: readonly (readonly LaneSpan[])[] = [],
): LaneLayout {
  const all = main.flat()
  const spans = all.map(({ from, until }) => ({ from, end: Math.max(from, until ?? now) }))
  const scale = cutIdle(spans.toSorted((a, b) => a.from - b.from))
  const from = Math.min(...spans.map((span) => span.from))
  const end = Math.max(...spans.map((span) => span.end))
  const lasts = all.some(({ until }) => until === null)
  const place = ({ kind, ...stretch }: LaneSpan): LaneSpan[] => {
    const until = stretch.until ?? now
    if (stretch.from > end || until < from) return []
    // What goes on longer than what is shown ends with it.
    const open = stretch.until === null && lasts
    return [{ kind, from: scale.at(stretch.from), until: open ? null : scale.at(until) }]
  }
  return {
    lanes: [...beside, ...main].map((lane) => lane.flatMap(place)),
    total: scale.total,
    cuts: scale.cuts,
    from: all.length === 0 ? now : from,
    until: lasts || all.length === 0 ? null : end,
    placeOf: scale.at,
    timeAt: scale.timeAt,
  }
}

/** A scale in ms from which long idle stretches are cut. `spans` are sorted by `from`. */
function cutIdle(spans: readonly { from: number; end: number }[]) {
  const stretches: { from: number; end: number }[] = []
  for (const { from, end } of spans) {
    const last = stretches.at(-1)
    if (last && from - last.end <= longIdle) last.end = Math.max(last.end, end)
    else stretches.push({ from, end })
  }
  const busy = stretches.reduce((sum, { from, end }) => sum + end - from, 0)
  const cut = Math.max(1, busy * cutShare)
  let start = 0
  const placed = stretches.map((stretch) => {
    const own = { ...stretch, start }
    start += stretch.end - stretch.from + cut
    return own
  })
  return {
    total: Math.max(1, start - cut),
    cuts: placed.slice(1).map((stretch) => stretch.start - cut / 2),
    timeAt(place: number) {
      const stretch = placed.findLast(({ start }) => start <= place) ?? placed[0]
      return stretch ? Math.min(stretch.end, stretch.from + Math.max(0, place - stretch.start)) : 0
    },
    at(time: number) {
      const stretch = placed.findLast(({ from }) => from <= time) ?? placed[0]
      return stretch ? stretch.start + Math.max(0, Math.min(time, stretch.end) - stretch.from) : 0
    },
  }
}
