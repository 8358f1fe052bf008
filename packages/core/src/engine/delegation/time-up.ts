import type { TaskError } from "../../ground/schema/index.ts"
import { LimitReached } from "../loop/stop-reason.ts"
import type { TurnQueue } from "../turn/turn-queue.ts"
import type { Tasks } from "./tasks.ts"

/** A parent whose tasks have ended for lack of time gets so long (ms) to take in their answers. */
const endGraceMs = 1_000

export interface TimeUpDeps {
  tasks: Pick<Tasks, "endTree">
  queue: Pick<TurnQueue, "open" | "cancel">
  clock: () => number
}

/** Ends what works in a tree whose time is up: its tasks, then the turns that ran. One that begins later has its own time. */
export async function timeUp({ tasks, queue, clock }: TimeUpDeps, rootID: string, error: TaskError): Promise<void> {
  const at = clock()
  // This may take seconds, and a person may prompt meanwhile.
  const ended = await tasks.endTree(rootID, error)
  const { alive } = await queue.open(rootID)
  const ran = alive.filter(({ status, time }) => status === "running" && (time.started ?? 0) <= at)
  await queue.cancel(ran, { reason: new LimitReached(error.message), graceMs: ended > 0 ? endGraceMs : 0 })
}
