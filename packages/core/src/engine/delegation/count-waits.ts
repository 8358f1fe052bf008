import type { Bus } from "../../ground/event/bus.ts"
import type { PermissionRequest } from "../../ground/schema/index.ts"
import { waitingAbove } from "./hold.ts"
import type { LiveTask, LiveTasks } from "./live-tasks.ts"
import type { TaskClock } from "./task-clock.ts"
import type { TaskRecords } from "./task-records.ts"

export interface CountWaitsDeps {
  bus: Bus
  live: Pick<LiveTasks, "byChild" | "chain">
  records: Pick<TaskRecords, "put">
  taskClock: TaskClock
  onError(error: unknown): void
}

export interface Waits {
  /** Goes on counting a request that stood before the process started, with the tasks that wait for its answer. */
  keep(request: PermissionRequest, waiting: LiveTask[]): void
}

interface OpenWait {
  requests: Set<string>
  /** Whose clocks stand still. */
  waiting: LiveTask[]
}

/**
 * Counts on the records of running tasks how long they wait for answers of people; requests that overlap count once.
 * Meanwhile the clock of the task stands still, and that of each task above that waits for it.
 */
export function countWaits(deps: CountWaitsDeps): Waits {
  const { live, records, taskClock } = deps
  const open = new Map<string, OpenWait>()
  const add = ({ id, sessionID }: PermissionRequest, waiting: LiveTask[]): boolean => {
    const known = open.get(sessionID)
    known?.requests.add(id)
    if (known !== undefined) return false
    open.set(sessionID, { requests: new Set([id]), waiting })
    for (const one of waiting) taskClock.pause(one)
    return true
  }
  const asked = (request: PermissionRequest) => {
    const entry = live.byChild(request.sessionID)
    const waiting = entry === undefined ? [] : [entry, ...waitingAbove(live, entry)]
    if (!add(request, waiting) || entry === undefined) return
    const { ms } = entry.task.waited ?? { ms: 0 }
    records.put(entry, { waited: { ms, since: request.time.created } }).catch(deps.onError)
  }
  const replied = ({ id, sessionID, time }: PermissionRequest) => {
    const wait = open.get(sessionID)
    if (!wait?.requests.delete(id) || wait.requests.size > 0) return
    open.delete(sessionID)
    const entry = live.byChild(sessionID)
    for (const one of wait.waiting) {
      const { ms, since } = one.task.waited ?? { ms: 0, since: null }
      const deadline = taskClock.resume(one)
      const until = one === entry && since !== null ? { ms: ms + Math.max(0, (time.replied ?? since) - since) } : null
      const change = { ...(deadline !== null && { deadline }), ...(until && { waited: { ...until, since: null } }) }
      if (one.end === null && Object.keys(change).length > 0) records.put(one, change).catch(deps.onError)
    }
  }
  deps.bus.subscribe((event) => {
    if (event.type === "permission.asked") asked(event.properties.request)
    if (event.type === "permission.replied") replied(event.properties.request)
  })
  return { keep: (request, waiting) => void add(request, waiting) }
}
