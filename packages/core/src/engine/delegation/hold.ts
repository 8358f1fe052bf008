import { rejectionWords } from "../../ground/message/rejection.ts"
import type { Conclusion } from "./conclude-task.ts"
import type { LiveTask, LiveTasks } from "./live-tasks.ts"
import type { TaskClock } from "./task-clock.ts"
import { measured, type TaskRecords } from "./task-records.ts"
import type { TasksDeps } from "./tasks-deps.ts"

export interface HoldDeps extends Pick<TasksDeps, "notes" | "sizeOf" | "reviewOf" | "follow" | "clock" | "onError"> {
  live: LiveTasks
  records: Pick<TaskRecords, "put">
  taskClock: TaskClock
}

/** Whether a task that has come to this waits for a person before it ends. */
export function isHeld(entry: LiveTask, { state }: Conclusion): boolean {
  return state === "completed" && entry.task.review === "required"
}

/**
 * Holds a task that is done until a person approves or rejects it, or it is ended from outside; answers with what it
 * comes to, or null when somebody said something to it and it is to work on. Meanwhile its clock stands still, until it
 * works again, and so does that of each task above that waits for it.
 */
export async function hold(deps: HoldDeps, entry: LiveTask, done: Conclusion): Promise<Conclusion | null> {
  const { live, records, taskClock, notes } = deps
  const waiting = [entry, ...waitingAbove(live, entry)]
  for (const one of waiting) taskClock.pause(one)
  entry.closed = false
  const since = deps.clock()
  const ms = entry.task.waited?.ms ?? 0
  const size = await measured(deps, entry.task)
  const held = { ...done, ...size, state: "awaiting_review", deadline: null, waited: { ms, since } } as const
  await records.put(entry, held)
  for (const one of waiting.slice(1)) await records.put(one, { deadline: null })
  const leave = await deps.follow(entry.task.rootID)
  try {
    const decided = await decision(deps, entry, done)
    const waited = { ms: ms + Math.max(0, deps.clock() - since), since: null }
    if (decided !== null) return { ...decided, waited }
    // What was said may have been taken back with what carried it.
    await notes.look(entry.child.id)
    await records.put(entry, { state: "queued", waited })
    return null
  } finally {
    leave()
    entry.wake = null
    for (const one of waiting.slice(1)) {
      const deadline = taskClock.resume(one)
      if (one.end === null) await records.put(one, { deadline })
    }
  }
}

/** The tasks above that wait for this one: up to one that nobody waits for. */
export function waitingAbove(live: Pick<LiveTasks, "chain">, entry: LiveTask): LiveTask[] {
  const above: LiveTask[] = []
  let below = entry
  for (const next of live.chain(entry.task.parentID)) {
    if (below.task.mode !== "blocking") break
    above.push(next)
    below = next
  }
  return above
}

/** Resolves once something is decided. What comes while the last look is taken is looked at again. */
async function decision(deps: HoldDeps, entry: LiveTask, done: Conclusion): Promise<Conclusion | null> {
  while (true) {
    const woken = Promise.withResolvers<void>()
    entry.wake = woken.resolve
    const { mark, reason } = await deps.reviewOf(entry.task)
    if (entry.ending !== null) return closed(entry, { ...done, ...entry.ending })
    if (deps.notes.has(entry.child.id)) return null
    if (mark === "approved") return closed(entry, done)
    if (mark === "rejected") return closed(entry, { ...done, state: "failed", error: rejection(reason) })
    await woken.promise
  }
}

/** From now on nothing said to it is read. */
function closed(entry: LiveTask, conclusion: Conclusion): Conclusion {
  entry.closed = true
  return conclusion
}

function rejection(reason: string) {
  return { type: "rejected", message: `${rejectionWords}${reason === "" ? "." : `: ${reason}`}` }
}
