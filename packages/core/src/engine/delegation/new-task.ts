import type { Caller, Notice, PromptPart, Session, Task, TaskLimits } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"

/** A task to start, with its child session not yet stored when `mutations` says so. */
export interface NewTask {
  parent: Session
  child: Session
  mutations: Mutation[]
  agent: string
  description: string
  prompt: string
  /** The command of a prompt that it comes of; null for what a person or an agent says themselves. */
  command: string | null
  /** What Docket says in the prompt, as data; null for the words of a person or an agent. */
  notice: Notice | null
  /** Parts before the prompt that Docket adds (the delegation context). */
  preamble: PromptPart[]
  model: Task["model"]
  mode: Task["mode"]
  /** For whom it works. */
  cause: Caller | undefined
  call: { messageID: string; partID: string; callID: string } | null
  limits: TaskLimits
  concurrency: number
  outputSchema: Record<string, unknown> | null
  todoID: string | null
  worktree: Task["worktree"]
  review: Task["review"]
}

/** What a task was asked for, as far as its row tells. */
export function requestOf(task: Task, parent: Session, child: Session): Omit<NewTask, "concurrency"> {
  const { agent, description, prompt, model, mode, limits, outputSchema, todoID, worktree, review } = task
  const work = { agent, description, prompt, model, mode, limits, outputSchema, todoID, worktree, review }
  return {
    ...work,
    command: task.command ?? null,
    parent,
    child,
    mutations: [],
    notice: null,
    preamble: [],
    cause: task.cause,
    call: null,
  }
}
