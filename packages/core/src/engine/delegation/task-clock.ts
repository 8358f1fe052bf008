import { LimitReached } from "../loop/stop-reason.ts"
import { timeLimitText } from "./limits.ts"
import type { LiveTask } from "./live-tasks.ts"

/** The longest time that a timer takes (ms, about 25 days): a longer one would fire at once. */
const maxTimer = 2 ** 31 - 1

export interface TaskClockDeps {
  clock: () => number
  /** Stops a session and everything under it. */
  stop(sessionID: string, reason?: LimitReached): Promise<void>
  onError(error: unknown): void
}

/** The wall clock of tasks. Deadlines are epoch ms, null for a task without a limit and for one whose clock stands still. */
export interface TaskClock {
  /** Starts it; answers with the deadline. */
  start(entry: LiveTask): number | null
  /** Lets it stand still until as many resumptions have come. */
  pause(entry: LiveTask): void
  /** The deadline from now on. */
  resume(entry: LiveTask): number | null
}

export function createTaskClock(deps: TaskClockDeps): TaskClock {
  const run = (entry: LiveTask, left: number | null): number | null => {
    if (left === null) return null
    entry.timer = setTimeout(() => expire(deps, entry), Math.min(left, maxTimer))
    return deps.clock() + left
  }
  return {
    start: (entry) => run(entry, entry.task.limits.wallClock),
    pause(entry) {
      entry.pauses += 1
      if (entry.pauses > 1) return
      if (entry.timer !== null) clearTimeout(entry.timer)
      entry.timer = null
      const { deadline } = entry.task
      entry.left = deadline === null ? null : Math.max(0, deadline - deps.clock())
    },
    resume(entry) {
      entry.pauses -= 1
      return entry.pauses > 0 || entry.end !== null ? null : run(entry, entry.left)
    },
  }
}

function expire(deps: TaskClockDeps, entry: LiveTask): void {
  const message = `The task reached its time limit of ${timeLimitText(entry.task.limits)}.`
  entry.ending ??= { state: "timed_out", error: { type: "limit_reached", message } }
  deps.stop(entry.child.id, new LimitReached(message)).catch(deps.onError)
}
