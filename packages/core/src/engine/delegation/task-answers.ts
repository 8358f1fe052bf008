import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { TaskDeliveredError } from "../../ground/error/docket-error.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { Caller, EndedTask, PromptPart, Session, Task, TaskError, Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import { endedNoticeText } from "../../setup/agent/prompts.ts"
import type { TreeBudgets } from "./tree-budgets.ts"

/** The immediate answer of `async_task`. */
export function launchedAnswer(task: Task): string {
  return [
    `task_id: ${task.sessionID}`,
    `agent: ${task.agent}`,
    `description: ${task.description}`,
    "status: launched",
    "",
    "Use async_task_result with this task_id to retrieve the result when ready.",
  ].join("\n")
}

/** The answer of `async_task_result`. */
export function resultAnswer(task: Task): string {
  const { sessionID } = task
  switch (task.state) {
    case "queued":
    case "running":
      return `status: running\ntask_id: ${sessionID}\n\nThe task is still in progress. Try again shortly.`
    case "awaiting_review":
      return `status: awaiting_review\ntask_id: ${sessionID}\n\nThe work is done and waits for a person's approval. Go on with other work: you are told when it has it.`
    case "completed":
      return `status: complete\ntask_id: ${sessionID}\n\n<task_result>\n${quoteFrames(task.result ?? "")}\n</task_result>`
    case "failed":
    case "cancelled":
    case "timed_out":
    case "interrupted": {
      const type = task.error?.type ?? task.state
      const message = task.error?.message ?? endWords[task.state]
      return `status: error\ntask_id: ${sessionID}\nerror_type: ${type}\n\n${message}${partialResult(task)}`
    }
  }
}

export function notFoundAnswer(ref: string): string {
  return `status: error\ntask_id: ${ref}\n\nSession not found. The task_id may be invalid or the session was deleted.`
}

type FailedState = keyof typeof endWords

/** The state of a task that did not complete, for the texts below. */
function failedState({ state }: Task): FailedState {
  return state in endWords ? (state as FailedState) : "failed"
}

const endWords = {
  failed: "The task failed.",
  cancelled: "The task was cancelled.",
  timed_out: "The task ran out of time.",
  interrupted: "Docket was stopped while the task ran.",
} as const

/** The synthetic prompt that reports ended background tasks to their parent. */
export function endedNotice(tasks: Task[]): Extract<PromptPart, { type: "text" }> {
  const blocks = tasks.map(
    (task) => `Task #${task.number} "${task.description}" (@${task.agent}):\n${resultAnswer(task)}`,
  )
  return {
    type: "text",
    text: `<system-reminder>\n${tasks.length === 1 ? "A background task has" : "Background tasks have"} ${endedNoticeText}\n\n${blocks.join("\n\n")}\n</system-reminder>`,
    synthetic: true,
    notice: { kind: "tasks-ended", tasks: tasks.map(endedTask) },
  }
}

function endedTask(task: Task): EndedTask {
  const { number, sessionID, agent, description, state } = task
  return { number, sessionID, agent, description, state, text: task.result ?? failureReason(task) ?? "" }
}

/** Why a task ended without completing, for people and models; null for every other task. */
export function failureReason(task: Task): string | null {
  if (!isEnded(task) || task.state === "completed") return null
  return task.error?.message ?? endWords[failedState(task)]
}

/** The error text of a blocking `task` call whose child did not complete. */
export function failureAnswer(task: Task): string {
  const verb = task.state === "failed" ? "failed" : task.state === "timed_out" ? "ran out of time" : "was stopped"
  return `The subagent ${verb}: ${failureReason(task) ?? endWords.cancelled}${partialResult(task)}\n\n<task_metadata>\nsession_id: ${task.sessionID}\n</task_metadata>`
}

/** The findings of a task that did not complete, tagged as partial; empty when there are none. */
export function partialResult({ result }: Pick<Task, "result">): string {
  return result === null ? "" : `\n\n<partial_result>\n${quoteFrames(result)}\n</partial_result>`
}

interface ConcludeDeps {
  store: Pick<Store, "transcript">
  outputDirectory(sessionID: string): Promise<string>
}

interface EndedTurn {
  task: Task
  turn: Turn
  /** Why the task was ended from outside; null when it was not. */
  ending(): { state: "cancelled" | "timed_out" | "failed"; error: TaskError } | null
}

export type Conclusion = Partial<Task> & { state: Task["state"] }

/** The outcome of a task whose child's turn has ended: state, answer (also a partial one) and error. */
export async function concludeTask(deps: ConcludeDeps, ended: EndedTurn): Promise<Conclusion> {
  const text = await lastAnswer(deps.store, ended.task)
  const { task, turn } = ended
  // When the service stops, that is the reason, and not the waiting call that was cancelled because of it.
  const ending = turn.error?.name === "InterruptedError" ? null : ended.ending()
  if (ending !== null) return { ...(await keptAnswer(deps, task, text)), ...ending }
  if (turn.status === "completed") {
    const output = task.outputSchema === null ? {} : { output: turn.output ?? null }
    return { state: "completed", ...output, ...(await keptAnswer(deps, task, text ?? noText)) }
  }
  const answer = await keptAnswer(deps, task, text)
  const error = {
    type: turn.error?.name ?? "UnknownError",
    message: turn.error?.message ?? `The turn ended as ${turn.status}.`,
  }
  if (turn.error?.name === "LimitReachedError")
    return { ...answer, state: "failed", error: { ...error, type: "limit_reached" } }
  if (turn.error?.name === "InterruptedError")
    return { ...answer, state: "interrupted", error: { ...error, type: "interrupted" } }
  if (turn.error?.name === "OutputSchemaError")
    return { ...answer, state: "failed", error: { ...error, type: "output_invalid" } }
  if (turn.error?.name === "RejectedError")
    return { ...answer, state: "cancelled", error: { ...error, type: "rejected" } }
  if (turn.status === "failed") return { ...answer, state: "failed", error }
  return {
    ...answer,
    state: "cancelled",
    error: { type: "cancelled", message: "The subagent was stopped by the user." },
  }
}

const noText = "(The subagent ended without a text answer. Its session holds what it did.)"

/** An answer in the form that the task's row stores. */
export async function keptAnswer(
  deps: Pick<ConcludeDeps, "outputDirectory">,
  task: Task,
  text: string | null,
): Promise<Pick<Task, "result" | "resultPath">> {
  if (text === null) return { result: null, resultPath: null }
  const directory = await deps.outputDirectory(task.sessionID)
  const { result, path } = await storedResult(text, { directory, name: `result-${task.id}.md` })
  return { result, resultPath: path }
}

/** Messages read at a time. */
const pageSize = 20

/** The last text that the child wrote since the task started, or null. Earlier texts answer an earlier task. */
export async function lastAnswer(
  store: Pick<Store, "transcript">,
  { sessionID, time }: Pick<Task, "sessionID" | "time">,
): Promise<string | null> {
  const { started } = time
  if (started === null) return null
  let before: string | null | undefined
  while (before !== null) {
    const page = await store.transcript.page({ sessionID, before, limit: pageSize })
    for (const { info, parts } of page.items.toReversed()) {
      if (info.time.created < started) return null
      if (info.role !== "assistant" || info.summary) continue
      const texts = parts.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text] : []))
      const last = texts.at(-1)
      if (last !== undefined) return last
    }
    before = page.before
  }
  return null
}

/** Longer answers (UTF-8 bytes) go to a file; the parent gets their beginning, their end and the path. */
export const maxResultBytes = 16 * 1024
const headBytes = 8_000
const tailBytes = 4_000

/** An answer as the parent reads it. `path` is the file with the full text of a long answer, else null. */
export async function storedResult(
  text: string,
  file: { directory: string; name: string },
): Promise<{ result: string; path: string | null }> {
  if (Buffer.byteLength(text) <= maxResultBytes) return { result: text, path: null }
  await mkdir(file.directory, { recursive: true, mode: 0o700 })
  const path = join(file.directory, file.name)
  await writeFile(path, text, { mode: 0o600 })
  const bytes = Buffer.from(text)
  // Removes the remains of a character that the cut has split.
  const head = bytes
    .subarray(0, headBytes)
    .toString()
    .replace(/\uFFFD+$/, "")
  const tail = bytes
    .subarray(-tailBytes)
    .toString()
    .replace(/^\uFFFD+/, "")
  const left = bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail)
  const middle = `\n\n[… ${left} bytes left out; the whole answer is in ${path}. Read or search it there.]\n\n`
  return { result: head + middle + tail, path }
}

/** Ended tasks of one parent within this time (ms) are reported in one turn. */
const gatherMs = 50

interface TaskNoticesDeps {
  store: Pick<Store, "session" | "task">
  /** Queues a prompt; `mutations` commit together with its turn. */
  submit(
    session: Session,
    parts: PromptPart[],
    options: { agent: string; model: Task["model"] | null; cause: Caller | undefined; mutations?: Mutation[] },
  ): Promise<Turn>
  /** Whether a turn of the session runs, here or elsewhere. */
  isRunning(sessionID: string): Promise<boolean>
  budgets: Pick<TreeBudgets, "isOutOfTime">
}

/** Reports each ended background task to its parent once, unless a poll has fetched its result. */
export interface TaskNotices {
  /** Reports after a short delay. A parent that works is notified at the end of its turn instead. */
  soon(parentID: string): Promise<void>
  now(parentID: string): Promise<void>
}

export function createTaskNotices(deps: TaskNoticesDeps): TaskNotices {
  const gathering = new Map<string, Promise<void>>()
  const telling = new Map<string, Promise<void>>()
  // One report at a time for each parent: two at once would report the same end twice.
  const now = (parentID: string): Promise<void> => {
    const before = telling.get(parentID) ?? Promise.resolve()
    const after = before.then(() => tellParent(deps, parentID))
    const settled = after.catch(() => {})
    telling.set(parentID, settled)
    void settled.then(() => {
      if (telling.get(parentID) === settled) telling.delete(parentID)
    })
    return after
  }
  return {
    now,
    soon(parentID) {
      const known = gathering.get(parentID)
      if (known !== undefined) return known
      const reported = new Promise((resolve) => setTimeout(resolve, gatherMs)).then(async () => {
        gathering.delete(parentID)
        return (await deps.isRunning(parentID)) ? undefined : now(parentID)
      })
      gathering.set(parentID, reported)
      return reported
    },
  }
}

/**
 * Starts one synthetic turn for each user whose tasks have ended and were not reported. The turn runs in the root even
 * when a child delegated: the child can use nothing that it did not learn before its own end.
 */
async function tellParent(deps: TaskNoticesDeps, parentID: string): Promise<void> {
  const parent = await deps.store.session.get(parentID)
  if (parent === null) return
  const undelivered = (await deps.store.task.undelivered(parent.rootID)).filter((task) => task.parentID === parentID)
  const [first] = undelivered
  if (first === undefined) return
  const { cause } = first
  const tasks = undelivered.filter((task) => task.cause?.person === cause?.person)
  const target = parent.parentID === null ? parent : await deps.store.session.get(parent.rootID)
  if (target === null || target.revert) return
  // A person has stopped the root, or its time is up and a turn would end at once. The next prompt of a person resets
  // both; the report follows at the end of that turn.
  if (target.abortedAt !== null || deps.budgets.isOutOfTime(target)) return
  const mutations = tasks.map(({ id }): Mutation => ({ kind: "task.told", taskID: id }))
  try {
    await deps.submit(target, [endedNotice(tasks)], { agent: target.agent, model: target.model, cause, mutations })
  } catch (error) {
    if (!(error instanceof TaskDeliveredError)) throw error
    // Another runtime reports some of these tasks: report the rest.
    return tellParent(deps, parentID)
  }
  if (tasks.length < undelivered.length) await tellParent(deps, parentID)
}
