import type { Task, TaskError, Turn } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { lastAnswer } from "./last-answer.ts"
import { checkOutput, repairPrompt, storedResult } from "./task-output.ts"

export interface ConcludeDeps {
  store: Pick<Store, "transcript">
  outputDirectory(sessionID: string): Promise<string>
  /** Prompts the child once more and waits for its turn. */
  again(text: string): Promise<Turn>
}

export interface EndedTurn {
  task: Task
  turn: Turn
  /** Why the task was ended from outside, if it was by now. */
  ending(): { state: "cancelled" | "timed_out" | "failed"; error: TaskError } | null
}

export type Conclusion = Partial<Task> & { state: Task["state"] }

/** What a task has come to when its child's turn has ended: state, answer (also a partial one), error. */
export async function concludeTask(deps: ConcludeDeps, ended: EndedTurn): Promise<Conclusion> {
  const text = await lastAnswer(deps.store, ended.task)
  const { task, turn } = ended
  // The end of the service is the reason, not that the waiting call gave the task up because of it.
  const ending = turn.error?.name === "InterruptedError" ? null : ended.ending()
  if (ending !== null) return { ...(await kept(deps, task, text)), ...ending }
  if (turn.status === "completed") {
    if (task.outputSchema === null) return { state: "completed", ...(await kept(deps, task, text ?? noText)) }
    return structured(deps, ended, text ?? "")
  }
  const answer = await kept(deps, task, text)
  const error = {
    type: turn.error?.name ?? "UnknownError",
    message: turn.error?.message ?? `The turn ended as ${turn.status}.`,
  }
  if (turn.error?.name === "LimitReachedError")
    return { ...answer, state: "failed", error: { ...error, type: "limit_reached" } }
  if (turn.error?.name === "InterruptedError")
    return { ...answer, state: "interrupted", error: { ...error, type: "interrupted" } }
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

/** Checks the answer against the schema; one repair turn; then a typed error. */
async function structured(deps: ConcludeDeps, ended: EndedTurn, text: string): Promise<Conclusion> {
  const { task } = ended
  const schema = task.outputSchema ?? {}
  const first = await checkOutput(text, schema)
  if (first.ok) return { state: "completed", output: first.output, ...(await kept(deps, task, text)) }
  const repaired = await deps.again(repairPrompt(first.problem, schema))
  // It was stopped, failed or reached a limit: that is the reason, not the schema.
  if (repaired.status !== "completed" || ended.ending() !== null)
    return concludeTask(deps, { ...ended, turn: repaired })
  const second = (await lastAnswer(deps.store, task)) ?? ""
  const check = await checkOutput(second, schema)
  if (check.ok) return { state: "completed", output: check.output, ...(await kept(deps, task, second)) }
  const error = { type: "output_invalid", message: `The answer does not fit output_schema:\n${check.problem}` }
  return { state: "failed", error, ...(await kept(deps, task, second)) }
}

/** An answer as the task's row keeps it. */
export async function kept(
  deps: Pick<ConcludeDeps, "outputDirectory">,
  task: Task,
  text: string | null,
): Promise<Pick<Task, "result" | "resultPath">> {
  if (text === null) return { result: null, resultPath: null }
  const directory = await deps.outputDirectory(task.sessionID)
  const { result, path } = await storedResult(text, { directory, name: `result-${task.id}.md` })
  return { result, resultPath: path }
}
