import type { Bus } from "../../ground/event/bus.ts"
import type { Task } from "../../ground/schema/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { Tasks } from "./tasks.ts"

/** How long a launch waits for a sign of the provider that is asked (ms). Longer, and the caller would wait for the answer. */
const settleMs = 1_500
/** How long it waits until the provider is asked (ms): on a busy machine a child takes its time to begin. */
const beginMs = 5_000

/**
 * Resolves once a launched task's provider has answered at all, the task waits for a slot or has ended, or
 * after a while: a provider that refuses (a wrong key, an unknown address) is then known to the caller.
 */
export async function settledLaunch(
  deps: { bus: Bus; tasks: Pick<Tasks, "get" | "isWaiting"> },
  task: Task,
): Promise<Task> {
  const heard = Promise.withResolvers<void>()
  let answering: string | null = null
  let timer: NodeJS.Timeout | undefined
  const giveUpAfter = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(heard.resolve, ms)
  }
  const unsubscribe = deps.bus.subscribe((event) => {
    if (event.type === "message.updated") {
      const { info } = event.properties
      if (info.sessionID !== task.sessionID || info.role !== "assistant") return
      if (answering === null) giveUpAfter(settleMs)
      answering = info.id
    }
    if (event.type === "message.part.updated") {
      const { part } = event.properties
      if (part.messageID === answering && part.type !== "step-start" && part.type !== "retry") heard.resolve()
    }
    if (event.type === "task.updated" && event.properties.task.id === task.id && isEnded(event.properties.task))
      heard.resolve()
  })
  giveUpAfter(beginMs)
  try {
    // A task in the queue has called nobody yet.
    if (!deps.tasks.isWaiting(task.id) && !isEnded(await deps.tasks.get(task.id))) await heard.promise
    return await deps.tasks.get(task.id)
  } finally {
    clearTimeout(timer)
    unsubscribe()
  }
}
