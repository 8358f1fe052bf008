import { setTimeout as delay } from "node:timers/promises"
import { orAborted } from "../../ground/concurrency/or-aborted.ts"
import type { TaskDesk } from "./task-desk.ts"
import type { Tasks } from "./tasks.ts"
import { endedElsewhere, isElsewhere } from "./tasks-elsewhere.ts"

export function createTaskReads(
  own: Pick<TaskDesk, "store" | "live" | "slots" | "isShared">,
): Pick<Tasks, "get" | "find" | "wait" | "released" | "isWaiting" | "ofChild"> {
  const { store, live, slots } = own
  return {
    get: live.get,
    async find(parent, ref) {
      const number = /^#?(\d+)$/.exec(ref.trim())?.[1]
      const task =
        number !== undefined
          ? await store.task.byNumber(parent.rootID, Number(number))
          : ref.startsWith("tsk_")
            ? await store.task.get(ref)
            : await store.task.byChild(ref)
      if (task === null || task.parentID !== parent.id) return null
      return live.byID(task.id)?.task ?? task
    },
    async wait(id, { waitMs, signal } = {}) {
      const entry = live.byID(id)
      if (entry === undefined) {
        const task = await live.get(id)
        return waitMs !== 0 && isElsewhere(own, task) ? endedElsewhere(own, id, { waitMs, signal }) : task
      }
      if (waitMs === 0) return entry.task
      const ended = entry.ended.promise
      if (waitMs === undefined && signal === undefined) return ended
      const limited = waitMs === undefined ? ended : within(ended, waitMs, () => entry.task)
      return signal === undefined ? limited : orAborted(limited, signal)
    },
    async released(id) {
      const entry = live.byID(id)
      await entry?.released.promise
      return entry?.task ?? live.get(id)
    },
    isWaiting(id) {
      const entry = live.byID(id)
      return entry !== undefined && slots.isWaiting(entry.task.parentID, id)
    },
    ofChild: (sessionID) => live.byChild(sessionID)?.task ?? null,
  }
}

/** What `working` comes to, or what there is instead after `ms`. Nobody has to stay for it. */
async function within<T>(working: Promise<T>, ms: number, instead: () => T): Promise<T> {
  const over = new AbortController()
  try {
    return await Promise.race([working, delay(ms, undefined, { signal: over.signal, ref: false }).then(instead)])
  } finally {
    over.abort()
  }
}
