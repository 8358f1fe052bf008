import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { isRefusal } from "../../ground/event/endings.ts"
import type { Task } from "../../ground/schema/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import { nothing } from "./limits.ts"
import type { NewTask } from "./new-task.ts"
import type { TaskDesk } from "./task-desk.ts"
import type { Tasks } from "./tasks.ts"
import type { TasksDeps } from "./tasks-deps.ts"

type LaunchDeps = Pick<
  TaskDesk,
  "live" | "records" | "runner" | "store" | "journal" | "endings" | "createID" | "clock" | "onError"
>

export function createLaunch(own: LaunchDeps): Tasks["launch"] {
  const inOrder = createKeyedQueue()
  const start = async (request: NewTask): Promise<Task> => {
    const working = own.live.byChild(request.child.id)
    if (working !== undefined) throw stillWorking(working.task)
    const task = newTask(own, request)
    const entry = own.live.add(task, request)
    try {
      await own.records.putNew(entry, request.mutations)
    } catch (error) {
      own.live.remove(entry)
      if (!isRefusal(error)) void failUnheard(own, task).catch(() => {})
      throw error
    }
    own.runner.run(entry).catch(own.onError)
    return entry.task
  }
  return (rootID, prepare) => inOrder(rootID, async () => start(await prepare()))
}

/** A launch that seemed to fail may be stored all the same: nothing runs it, so it must not stay open. */
function failUnheard(
  { store, journal, endings, clock }: Pick<TaskDesk, "store" | "journal" | "endings" | "clock">,
  { id, rootID }: Task,
): Promise<void> {
  return endings.store({ rootID }, async () => {
    const row = await store.task.get(id)
    if (row === null || isEnded(row)) return
    const error = { type: "UnknownError", message: "The task could not be started: the database did not answer." }
    const value: Task = { ...row, state: "failed", error, delivered: "result", time: { ...row.time, ended: clock() } }
    await journal.commit(rootID, [{ kind: "task", value }])
  })
}

function newTask(deps: Pick<TasksDeps, "createID" | "clock">, request: NewTask): Task {
  const { agent, description, prompt, command, model, mode, limits, outputSchema, todoID, worktree, review, cause } =
    request
  return {
    id: deps.createID("task"),
    number: 0,
    rootID: request.parent.rootID,
    parentID: request.parent.id,
    sessionID: request.child.id,
    messageID: request.call?.messageID ?? null,
    partID: request.call?.partID ?? null,
    callID: request.call?.callID ?? null,
    turnID: null,
    agent,
    description,
    prompt,
    ...(command !== null && { command }),
    model,
    mode,
    state: "queued",
    result: null,
    resultPath: null,
    outputSchema,
    output: null,
    error: null,
    usage: nothing,
    limits,
    deadline: null,
    todoID,
    worktree,
    ...(review !== undefined && { review }),
    ...(cause !== undefined && { cause }),
    delivered: "no",
    time: { created: deps.clock(), started: null, ended: null },
  }
}

function stillWorking(task: Task): DocketError {
  const words = `Task #${task.number} still works in this session. Wait for its end, or give it a message with task_message.`
  return new DocketError("invalid_input", words)
}
