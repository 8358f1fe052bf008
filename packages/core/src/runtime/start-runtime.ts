import { recoverStepFiles } from "../calls/recover-step-files.ts"
import type { Tasks } from "../delegation/tasks.ts"
import type { Reverts } from "../revert/create-reverts.ts"
import type { Scheduler } from "../schedule/scheduler.ts"
import { recover } from "../turn/recover.ts"
import type { TurnQueue } from "../turn/turn-queue.ts"
import type { RuntimeDeps, Services } from "./create-services.ts"

/** Puts right what a crash left behind, before anything runs; then goes on with interrupted turns. */
export async function startRuntime(
  deps: RuntimeDeps,
  services: Services,
  { queue, reverts, tasks, scheduler }: { queue: TurnQueue; reverts: Reverts; tasks: Tasks; scheduler: Scheduler },
): Promise<void> {
  const { commands } = services
  await commands.reap()
  await services.snapshots.sweep()
  await services.desk.expireAll()
  const ofProjects = { ...services, projectByID: services.projects.get, onError: deps.onError }
  const turns = await recover({
    ...services,
    stepFiles: (session, turn) => recoverStepFiles(ofProjects, session, turn),
  })
  await reverts.recover()
  await commands.endBackground(await tasks.recover())
  // Before any turn can make a worktree that no task has yet.
  await sweepWorktrees(services)
  for (const turn of turns) queue.add(turn)
  await tasks.tellRecovered(new Set(turns.map((turn) => turn.sessionID)))
  await scheduler.start()
}

async function sweepWorktrees({ store, worktrees }: Services): Promise<void> {
  const { tasks, unread } = await store.task.withWorktree()
  // A task that cannot be read may have worked in any of those that no other has.
  if (unread === 0) await worktrees.sweep(tasks.flatMap((task) => task.worktree ?? []))
}
