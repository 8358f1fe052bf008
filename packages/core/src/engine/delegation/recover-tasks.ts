import type { PermissionRequest, Task } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { WaitingTurns } from "../turn/waiting-turns.ts"
import { type LiveTask, type LiveTasks, requestOf, type TaskRecords, type TasksDeps } from "./live-tasks.ts"
import { failureAnswer, keptAnswer, lastAnswer } from "./task-answers.ts"
import { maxMoments, type TaskClock, type TaskParts, type TaskRunner, type Waits, waitingAbove } from "./task-runner.ts"

/** Ends the tasks that a crash left open as interrupted. Returns their child sessions. */
export async function interruptOpen(
  deps: TasksDeps,
  isOrphaned: (task: Task) => boolean,
  { diedAt, waiting }: { diedAt: number | null; waiting: ReadonlySet<string> },
): Promise<string[]> {
  const all = (await deps.store.task.open()).filter(isOrphaned)
  const open = all.filter(({ id }) => !waiting.has(id))
  const withUnfinishedWorktree = (await deps.store.task.withWorktree()).tasks.filter(
    (task) => isOrphaned(task) && isEnded(task) && task.worktree?.state === "active",
  )
  for (const task of withUnfinishedWorktree) {
    const value = await deps.finishWorktree(task)
    if (value !== task) await deps.journal.commit(task.rootID, [{ kind: "task", value }])
  }
  for (const task of open) {
    const error = { type: "interrupted", message: "Docket was stopped while the task was open." }
    const found = await keptAnswer(deps, task, await lastAnswer(deps.store, task))
    const times = cutShort(task, all, Math.min(diedAt ?? Number.POSITIVE_INFINITY, deps.clock()))
    const value = await deps.finishWorktree({ ...task, ...found, ...times, state: "interrupted", error })
    await deps.journal.commit(task.rootID, [
      { kind: "task", value },
      ...(await callUpdate(deps, value, failureAnswer(value))),
    ])
  }
  return open.map((task) => task.sessionID)
}

/** Holds tasks for their review again after a restart, in the background since nobody waits for them any more. */
export async function restoreHeld(own: TaskParts, isOrphaned: (task: Task) => boolean): Promise<void> {
  for (const task of (await own.store.task.held()).filter(isOrphaned)) {
    if (own.live.byID(task.id) !== undefined) continue
    const [parent, child] = [await own.store.session.get(task.parentID), await own.store.session.get(task.sessionID)]
    if (parent === null || child === null) continue
    const value: Task = { ...task, mode: "background" }
    if (task.mode === "blocking") {
      await own.journal.commit(task.rootID, [{ kind: "task", value }, ...(await callUpdate(own, task, stillHeld))])
    }
    const request = { ...requestOf(value, parent, child), concurrency: await own.concurrencyOf(parent) }
    own.runner.hold(own.live.add(value, request)).catch(own.onError)
  }
}

const stillHeld =
  "Docket was restarted while the task waited for a person's approval. It goes on waiting in the background: go on with other work, you are told when it has it."

/**
 * Updates the error of a blocking call that recovery closed as interrupted, so that it tells what became of its task.
 */
async function callUpdate({ store }: Pick<TasksDeps, "store">, task: Task, error: string): Promise<Mutation[]> {
  if (task.mode !== "blocking" || task.partID === null) return []
  const part = await store.transcript.part(task.partID)
  if (part?.type !== "tool" || part.state.status !== "error") return []
  return [{ kind: "part", value: { ...part, state: { ...part.state, error } } }]
}

interface KeepWaitingDeps extends Pick<TasksDeps, "store" | "concurrencyOf" | "clock" | "onError"> {
  live: LiveTasks
  records: Pick<TaskRecords, "put">
  runner: Pick<TaskRunner, "goOn">
  taskClock: TaskClock
  waits: Waits
}

/** See `Tasks.keepWaiting`. The time while the process was down counts neither as work nor as waiting. */
export async function keepWaiting(
  deps: KeepWaitingDeps,
  waiting: Pick<WaitingTurns, "tasks" | "requests" | "turns">,
  diedAt: number | null,
): Promise<() => void> {
  const { store, live, taskClock } = deps
  const pending = waiting.requests.filter(({ status }) => status === "pending")
  const rows = (await store.task.open()).filter(({ id }) => waiting.tasks.has(id))
  const turns = (await store.turn.open()).filter(({ id }) => waiting.turns.has(id))
  const now = deps.clock()
  const died = Math.min(diedAt ?? now, now)
  const entries: LiveTask[] = []
  for (const row of rows) {
    const [parent, child] = [await store.session.get(row.parentID), await store.session.get(row.sessionID)]
    const turn = turns.find(({ sessionID }) => sessionID === row.sessionID)
    if (parent === null || child === null || turn === undefined) continue
    const request = { ...requestOf(row, parent, child), concurrency: await deps.concurrencyOf(parent) }
    const entry = live.add({ ...row, ...timesNow(row, { rows, pending, died, now }), turnID: turn.id }, request)
    taskClock.pause(entry)
    entries.push(entry)
  }
  for (const request of pending) {
    const entry = live.byChild(request.sessionID)
    if (entry !== undefined) deps.waits.keep(request, [entry, ...waitingAbove(live, entry)])
  }
  for (const entry of entries) await deps.records.put(entry, {})
  return () => {
    for (const entry of entries) {
      taskClock.resume(entry)
      deps.runner.goOn(entry, entry.task.turnID ?? "").catch(deps.onError)
    }
  }
}

/** The deadline and the waited time of a task that continues, without the time while its process was down. */
function timesNow(
  task: Task,
  { rows, pending, died, now }: { rows: Task[]; pending: readonly PermissionRequest[]; died: number; now: number },
): Pick<Task, "deadline" | "waited"> {
  const { deadline, waited = { ms: 0, since: null } } = task
  // The task's clock stood still while it waited for a person, and at the latest when the process died.
  const stoodSince = waitsSince(task, rows) ?? died
  const ms = waited.ms + (waited.since === null ? 0 : Math.max(0, died - waited.since))
  const isWaiting = pending.some(({ sessionID }) => sessionID === task.sessionID)
  return {
    deadline: deadline === null ? null : now + Math.max(0, deadline - stoodSince),
    waited: { ms, since: isWaiting ? now : null },
  }
}

type CutShort = Required<Pick<Task, "moments" | "waited">> & Pick<Task, "time">

/**
 * The times of an open task whose process died: it worked, or waited for a person, until the process died, and did
 * neither afterwards. `open` are the tasks left open; `diedAt` is epoch ms.
 */
function cutShort(task: Task, open: Task[], diedAt: number): CutShort {
  const { created, started } = task.time
  const since = waitsSince(task, open)
  const ended = Math.max(diedAt, created, started ?? 0, since ?? 0)
  const wait = since === null ? [] : [{ kind: "wait" as const, from: since, until: ended }]
  const { waited = { ms: 0, since: null } } = task
  const lastWait = waited.since === null ? 0 : Math.max(0, ended - waited.since)
  return {
    time: { ...task.time, ended },
    moments: [...(task.moments ?? []), ...wait].slice(-maxMoments),
    waited: { ms: waited.ms + lastWait, since: null },
  }
}

/** Since when the task or a task below it waits for a person (epoch ms); null when none waits. */
function waitsSince(task: Task, open: Task[]): number | null {
  const below = open.filter(({ parentID }) => parentID === task.sessionID)
  const times = [task.waited?.since ?? null, ...below.map((child) => waitsSince(child, open))]
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}
