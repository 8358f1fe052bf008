import type { TaskState, TaskSummary } from "@docket/core/schema"

/** A stretch of one task in the chart, in per cent of its width. */
export interface LaneSpan {
  id: string
  sessionID: string
  /** "#3 Review the wording" */
  label: string
  lane: number
  state: TaskState
  agent: string
  /** Where it waited; null in a packed chart, where the place belongs to another task. */
  waited: { x: number; width: number } | null
  /** Where it ran; null while it is queued and when it never began. */
  ran: { x: number; width: number } | null
}

export interface LaneChart {
  spans: LaneSpan[]
  lanes: number
  /** Places, in per cent, where idle time was cut out. */
  folds: number[]
  /** Milliseconds in which something ran or waited. */
  busy: number
}

/** Up to this many tasks get a lane each; more share lanes. */
const ownLane = 12
/** Idle time longer than this (ms) is cut out. */
const longIdle = 5 * 60_000
/** What a cut leaves of it, as a share of the busy time. */
const foldShare = 0.02

/** Places tasks on lanes over their common time. `now` is epoch ms. */
export function layOutLanes(tasks: readonly TaskSummary[], now: number): LaneChart {
  const packed = tasks.length > ownLane
  const times = tasks
    .map((task) => ({
      task,
      from: packed ? (task.time.started ?? task.time.created) : task.time.created,
      end: Math.max(task.time.ended ?? now, task.time.started ?? task.time.created),
    }))
    .filter(({ task }) => !packed || task.time.started !== null)
    .sort((a, b) => a.from - b.from || a.task.number - b.task.number)
  const scale = foldIdle(times)
  const free: number[] = []
  const spans = times.map(({ task, from, end }, index): LaneSpan => {
    const lane = packed ? firstFree(free, from) : index
    free[lane] = end
    const { started } = task.time
    return {
      id: task.id,
      sessionID: task.sessionID,
      label: `#${task.number} ${task.description}`,
      lane,
      state: task.state,
      agent: task.agent,
      waited: packed ? null : scale.span(from, started ?? end),
      ran: started === null ? null : scale.span(started, end),
    }
  })
  return { spans, lanes: free.length, folds: scale.folds, busy: scale.busy }
}

function firstFree(free: readonly number[], from: number): number {
  const found = free.findIndex((end) => end <= from)
  return found < 0 ? free.length : found
}

/** A time scale in per cent from which long idle stretches are cut. `times` are sorted by `from`. */
function foldIdle(times: readonly { from: number; end: number }[]) {
  const stretches: { from: number; end: number }[] = []
  for (const { from, end } of times) {
    const last = stretches.at(-1)
    if (last && from - last.end <= longIdle) last.end = Math.max(last.end, end)
    else stretches.push({ from, end })
  }
  const busy = stretches.reduce((sum, { from, end }) => sum + end - from, 0)
  const fold = Math.max(1, busy * foldShare)
  const total = Math.max(1, busy + fold * (stretches.length - 1))
  let at = 0
  const placed = stretches.map((stretch) => {
    const start = at
    at += stretch.end - stretch.from + fold
    return { ...stretch, start }
  })
  const x = (time: number) => {
    const stretch = placed.findLast(({ from }) => from <= time) ?? placed[0]
    return stretch ? ((stretch.start + Math.min(time, stretch.end) - stretch.from) / total) * 100 : 0
  }
  return {
    busy,
    folds: placed.slice(1).map(({ start }) => ((start - fold / 2) / total) * 100),
    span: (from: number, end: number) => ({ x: x(from), width: x(end) - x(from) }),
  }
}
