import type { Bus } from "../event/bus.ts"
import type { PermissionRequest } from "../schema/index.ts"
import type { LiveTasks } from "./live-tasks.ts"
import type { TaskRecords } from "./task-records.ts"

export interface CountWaitsDeps {
  bus: Bus
  live: Pick<LiveTasks, "byChild">
  records: Pick<TaskRecords, "put">
  onError(error: unknown): void
}

/** Counts on the records of running tasks how long they wait for answers of people; requests that overlap count once. */
export function countWaits(deps: CountWaitsDeps): void {
  const open = new Map<string, Set<string>>()
  const asked = ({ id, sessionID, time }: PermissionRequest) => {
    const requests = open.get(sessionID) ?? new Set()
    open.set(sessionID, requests.add(id))
    const entry = deps.live.byChild(sessionID)
    if (requests.size > 1 || entry === undefined) return
    const { ms } = entry.task.waited ?? { ms: 0 }
    deps.records.put(entry, { waited: { ms, since: time.created } }).catch(deps.onError)
  }
  const replied = ({ id, sessionID, time }: PermissionRequest) => {
    const requests = open.get(sessionID)
    if (!requests?.delete(id) || requests.size > 0) return
    open.delete(sessionID)
    const entry = deps.live.byChild(sessionID)
    const { ms, since } = entry?.task.waited ?? { ms: 0, since: null }
    if (entry === undefined || since === null) return
    const waited = { ms: ms + Math.max(0, (time.replied ?? since) - since), since: null }
    deps.records.put(entry, { waited }).catch(deps.onError)
  }
  deps.bus.subscribe((event) => {
    if (event.type === "permission.asked") asked(event.properties.request)
    if (event.type === "permission.replied") replied(event.properties.request)
  })
}
