import type { RunningCommands } from "../acts/tool/running-commands.ts"
import type { Tasks } from "../engine/delegation/tasks.ts"
import { PersonGone } from "../engine/loop/stop-reason.ts"
import { causeOf, type TurnQueue } from "../engine/turn/turn-queue.ts"
import type { Turn } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/index.ts"

export interface StopWorkDeps {
  store: Pick<Store, "turn">
  tasks: Pick<Tasks, "stopFor">
  queue: Pick<TurnQueue, "cancel" | "withdraw">
  commands: Pick<RunningCommands, "endBackground">
}

/**
 * Stops the work for these people in all trees, turn by turn and task by task, and leaves the work for others. Resolves
 * when none of it is left.
 */
export async function stopWorkOf(deps: StopWorkDeps, people: ReadonlySet<string>): Promise<void> {
  const { store, tasks, queue, commands } = deps
  const reason = new PersonGone()
  const isTheirs = (turn: Turn) => people.has(causeOf(turn)?.person ?? "")
  const sessions = new Set<string>()
  const stopped = new Set<string>()
  while (true) {
    /** One promise for each stopped task; it resolves when the task has ended. */
    const taskEnds = await tasks.stopFor(people, reason)
    const turns = (await store.turn.open()).filter((turn) => isTheirs(turn) && !stopped.has(turn.id))
    if (taskEnds.length + turns.length === 0) break
    const waiting = turns.filter(({ status }) => status === "queued")
    const withdrawn = await Promise.all(waiting.map((turn) => queue.withdraw(turn)))
    // A turn was claimed meanwhile: read again, because it must be stopped too.
    if (withdrawn.includes(false)) continue
    const running = turns.filter(({ status }) => status === "running")
    await queue.cancel(running, { reason })
    for (const { id, sessionID } of running) {
      stopped.add(id)
      sessions.add(sessionID)
    }
    for (const { sessionID } of await Promise.all(taskEnds)) sessions.add(sessionID)
  }
  for (const { sessionID } of await store.turn.open()) sessions.delete(sessionID)
  await commands.endBackground([...sessions])
}
