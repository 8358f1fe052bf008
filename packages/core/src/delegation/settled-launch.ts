import type { GlobalBus } from "../event/global-bus.ts"
import type { Task } from "../schema/index.ts"
import { isEnded } from "./task-answers.ts"
import type { Tasks } from "./tasks.ts"

/** How long a launch waits for a sign of the provider (ms). Longer, and the caller would wait for the answer. */
const settleMs = 1_500

/**
 * Resolves once a launched task's provider has answered at all, the task waits for a slot or has ended, or
 * after a while: a provider that refuses (a wrong key, an unknown address) is then known to the caller.
 */
export async function settledLaunch(
  deps: { bus: GlobalBus; tasks: Tasks; projectID: string },
  task: Task,
): Promise<Task> {
  const heard = Promise.withResolvers<void>()
  const unsubscribe = deps.bus.project(deps.projectID).subscribe("*", (event) => {
    if (event.type === "message.part.updated") {
      const { part } = event.properties
      const answered = part.type === "text" || part.type === "reasoning" || part.type === "tool"
      if (part.sessionID === task.sessionID && answered && !("synthetic" in part && part.synthetic)) heard.resolve()
    }
    if (event.type === "task.updated" && event.properties.task.id === task.id && isEnded(event.properties.task))
      heard.resolve()
  })
  const timer = setTimeout(heard.resolve, settleMs)
  try {
    const now = await deps.tasks.get(task.id)
    // A task in the queue has not called anybody; its turn may come much later.
    if (now.state === "queued" && !isEnded(now)) await Promise.race([heard.promise, nextTick()])
    if ((await deps.tasks.get(task.id)).state === "running") await heard.promise
    return await deps.tasks.get(task.id)
  } finally {
    clearTimeout(timer)
    unsubscribe()
  }
}

/** A task that has a free slot starts within the same moment. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
