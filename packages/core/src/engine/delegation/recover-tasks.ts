import type { Task } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import { kept } from "./conclude-task.ts"
import { cutShort } from "./cut-short.ts"
import { lastAnswer } from "./last-answer.ts"
import { requestOf } from "./new-task.ts"
import { failureAnswer } from "./task-answers.ts"
import type { TaskDesk } from "./task-desk.ts"
import type { TasksDeps } from "./tasks-deps.ts"

/** Marks what a crash left open. */
export async function interruptOpen(
  deps: TasksDeps,
  isLeft: (task: Task) => boolean,
  { diedAt, waiting }: { diedAt: number | null; waiting: ReadonlySet<string> },
): Promise<string[]> {
  const all = (await deps.store.task.open()).filter(isLeft)
  const open = all.filter(({ id }) => !waiting.has(id))
  const left = (await deps.store.task.withWorktree()).tasks.filter(
    (task) => isLeft(task) && isEnded(task) && task.worktree?.state === "active",
  )
  for (const task of left) {
    const value = await deps.finishWorktree(task)
    if (value !== task) await deps.journal.commit(task.rootID, [{ kind: "task", value }])
  }
  for (const task of open) {
    const error = { type: "interrupted", message: "Docket was stopped while the task was open." }
    const found = await kept(deps, task, await lastAnswer(deps.store, task))
    const times = cutShort(task, all, Math.min(diedAt ?? Number.POSITIVE_INFINITY, deps.clock()))
    const value = await deps.finishWorktree({ ...task, ...found, ...times, state: "interrupted", error })
    await deps.journal.commit(task.rootID, [
      { kind: "task", value },
      ...(await toldToCall(deps, value, failureAnswer(value))),
    ])
  }
  return open.map((task) => task.sessionID)
}

/** Holds the tasks again that waited for a review when the process ended: in the background, as nobody waits for them now. */
export async function restoreHeld(own: TaskDesk, isLeft: (task: Task) => boolean): Promise<void> {
  for (const task of (await own.store.task.held()).filter(isLeft)) {
    if (own.live.byID(task.id) !== undefined) continue
    const [parent, child] = [await own.store.session.get(task.parentID), await own.store.session.get(task.sessionID)]
    if (parent === null || child === null) continue
    const value: Task = { ...task, mode: "background" }
    if (task.mode === "blocking") {
      await own.journal.commit(task.rootID, [{ kind: "task", value }, ...(await toldToCall(own, task, stillHeld))])
    }
    const request = { ...requestOf(value, parent, child), concurrency: await own.concurrencyOf(parent) }
    own.runner.hold(own.live.add(value, request)).catch(own.onError)
  }
}

const stillHeld =
  "Docket was restarted while the task waited for a person's approval. It goes on waiting in the background: go on with other work, you are told when it has it."

/** What the call is told that waited for a task when the process ended, and that was closed as interrupted. */
async function toldToCall({ store }: Pick<TasksDeps, "store">, task: Task, error: string): Promise<Mutation[]> {
  if (task.mode !== "blocking" || task.partID === null) return []
  const part = await store.transcript.part(task.partID)
  if (part?.type !== "tool" || part.state.status !== "error") return []
  return [{ kind: "part", value: { ...part, state: { ...part.state, error } } }]
}
