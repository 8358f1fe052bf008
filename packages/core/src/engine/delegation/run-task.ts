import { CallOutcome } from "../../acts/tool/tool.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Session } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Delegate } from "./delegate-request.ts"
import { mirrorProgress } from "./mirror-progress.ts"
import { failureAnswer } from "./task-answers.ts"
import type { RunTask } from "./task-tool.ts"
import type { Tasks } from "./tasks.ts"

export interface RunTaskDeps {
  store: Pick<Store, "session">
  bus: Bus
  clock: () => number
  tasks: Tasks
  delegate: Delegate
}

/** Runs a blocking task of `turn`: mirrors the child's progress and waits for its end or its release. */
export function createRunTask(deps: RunTaskDeps, turn: TurnContext): RunTask {
  return async (request, context) => {
    // After a restart it may go on already.
    const known = deps.tasks.ofCall(context.partID)
    const launched = known ?? (await deps.delegate(turn, context, { ...request, mode: "blocking" }))
    context.underWay()
    const child = await childOf(deps, launched.sessionID)
    const { id, agent, model, description } = launched
    const mirror = mirrorProgress(deps, { id, child, agent, model, description }, context)
    const cancel = () => void deps.tasks.giveUp(launched.id, context.signal.reason).catch(() => {})
    context.signal.addEventListener("abort", cancel, { once: true })
    if (context.signal.aborted) cancel()
    try {
      const ended = await deps.tasks.released(launched.id)
      const metadata = mirror.end(ended)
      if (!isEnded(ended)) return { text: backgroundText, metadata: { ...metadata, background: true } }
      await deps.tasks.delivered(ended.id, "result")
      if (ended.state !== "completed")
        throw new CallOutcome(failureAnswer(ended), { rejectedWithin: ended.error?.type === "rejected" })
      return { text: ended.result ?? "", metadata }
    } finally {
      context.signal.removeEventListener("abort", cancel)
    }
  }
}

const backgroundText =
  "The task was sent to the background and goes on there. Go on with other work: you are told when it ends; do not wait or poll for it."

async function childOf(deps: RunTaskDeps, sessionID: string): Promise<Session> {
  const child = await deps.store.session.get(sessionID)
  if (child === null) throw new Error(`The child session ${sessionID} was removed.`)
  return child
}
