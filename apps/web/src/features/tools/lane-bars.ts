import type { TaskView } from "./read-task.ts"

export interface LaneBar {
  id: string
  agent: string
  label: string
  /** Per cent of the lane's time. */
  start: number
  width: number
  running: boolean
}

/** Bars of tasks over their common time, `now` and `elapsed` in ms. Tasks that have not begun have no bar. */
export function laneBars(
  tasks: readonly { id: string; task: TaskView }[],
  now: number,
): { bars: LaneBar[]; elapsed: number; running: boolean } {
  const spans = tasks.flatMap(({ id, task }) => {
    if (task.startedAt === null) return []
    const running = task.state === "running" || task.state === "queued"
    const end = running ? Math.max(now, task.startedAt) : task.startedAt + (task.elapsed ?? 0)
    return [{ id, agent: task.agent, label: task.description, from: task.startedAt, end, running }]
  })
  const from = Math.min(...spans.map((span) => span.from))
  const elapsed = Math.max(...spans.map((span) => span.end), from + 1) - from
  return {
    bars: spans.map((span) => ({
      id: span.id,
      agent: span.agent,
      label: span.label,
      start: ((span.from - from) / elapsed) * 100,
      width: ((span.end - span.from) / elapsed) * 100,
      running: span.running,
    })),
    elapsed: spans.length === 0 ? 0 : elapsed,
    running: spans.some((span) => span.running),
  }
}
