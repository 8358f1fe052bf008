import { recoverStepFiles } from "../calls/recover-step-files.ts"
import type { Tasks } from "../delegation/tasks.ts"
import type { Reverts } from "../revert/create-reverts.ts"
import type { Scheduler } from "../schedule/scheduler.ts"
import { recover } from "../turn/recover.ts"
import type { TurnQueue } from "../turn/turn-queue.ts"
import type { Parts, RuntimeDeps } from "./create-parts.ts"

/** Puts right what a crash left behind, before anything runs; then goes on with interrupted turns. */
export async function startRuntime(
  deps: RuntimeDeps,
  parts: Parts,
  { queue, reverts, tasks, scheduler }: { queue: TurnQueue; reverts: Reverts; tasks: Tasks; scheduler: Scheduler },
): Promise<void> {
  const { commands } = parts
  await commands.reap()
  await parts.snapshots.sweep()
  await parts.desk.expireAll()
  const ofProjects = { ...parts, projectByID: parts.projects.get, onError: deps.onError }
  const turns = await recover({ ...parts, stepFiles: (session) => recoverStepFiles(ofProjects, session) })
  await reverts.recover()
  await commands.endBackground(await tasks.recover())
  // Before any turn can make a worktree that no task has yet.
  await sweepWorktrees(parts)
  for (const turn of turns) queue.add(turn)
  await tasks.tellRecovered(new Set(turns.map((turn) => turn.sessionID)))
  await scheduler.start()
}

async function sweepWorktrees({ store, worktrees }: Parts): Promise<void> {
  const { tasks, unread } = await store.task.withWorktree()
  // A task that cannot be read may have worked in any of those that no other has.
  if (unread === 0) await worktrees.sweep(tasks.flatMap((task) => task.worktree ?? []))
}
