import type { Agent, Caller, ModelRef, Project, Session, Task } from "../../ground/schema/index.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { Delegate, DelegateRequest } from "./delegate-request.ts"
import type { Worktrees } from "./worktrees.ts"

/**
 * Ends a task's work in its worktree: its changes are committed, and the answer names branch and diff. When that
 * fails the answer says so, and the worktree stays active: the next start tries again.
 */
export async function finishWorktree(worktrees: Worktrees, task: Task): Promise<Task> {
  if (task.worktree === null || task.worktree.state !== "active") return task
  const add = (told: string) => (task.result === null ? told : `${task.result}\n\n${told}`)
  try {
    const worktree = await worktrees.finish(
      task.worktree,
      `${task.description}\n\nTask #${task.number} by ${task.agent}.`,
    )
    const diff = await worktrees.diffStat(worktree)
    const told = diff === null ? "The task changed no files." : `The changes are on branch ${worktree.branch}:\n${diff}`
    return { ...task, worktree, result: add(told) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      ...task,
      result: add(`The changes could not be committed (${reason}). They lie in ${task.worktree.directory}.`),
    }
  }
}

export interface RestartDeps {
  setupOf(session: Session): Promise<{ project: Project; config: Config; agents: Agent[]; defaultModel: ModelRef }>
}

/** A task that a person sets to work. */
interface PersonsTask {
  task: Task
  parent: Session
  by: Caller
}

/** Starts the work of an ended task again, in a new child and in the background. */
export function restartTask(deps: RestartDeps, delegate: Delegate, { task, parent, by }: PersonsTask): Promise<Task> {
  return delegateForPerson(
    deps,
    delegate,
    { task, parent, by },
    {
      description: task.description,
      prompt: task.prompt,
      command: task.command,
      model: `${task.model.providerID}/${task.model.modelID}`,
      ...(task.outputSchema !== null && { outputSchema: task.outputSchema }),
      ...(task.limits.wallClock !== null && { timeout: task.limits.wallClock }),
    },
  )
}

/** What an ended child is told so that it goes on, and what is stored together with the task. */
export type ResumePrompt = Pick<DelegateRequest, "prompt" | "notice" | "more"> & { by: Caller }

/** Goes on in the child of an ended task with another prompt, in the background. */
export function resumeTask(
  deps: RestartDeps,
  delegate: Delegate,
  { task, parent, by, ...prompt }: PersonsTask & ResumePrompt,
): Promise<Task> {
  const { description, sessionID: taskID } = task
  return delegateForPerson(deps, delegate, { task, parent, by }, { description, taskID, ...prompt })
}

/** Delegates for a person as the parent's agent would: to the agent of an earlier task, in the background. */
async function delegateForPerson(
  deps: RestartDeps,
  delegate: Delegate,
  { task, parent, by }: PersonsTask,
  request: Omit<DelegateRequest, "agent" | "mode">,
): Promise<Task> {
  const { project, config, agents, defaultModel } = await deps.setupOf(parent)
  const agent = findAgent(agents, parent.agent)
  const delegator = { session: parent, project, config, agent, model: parent.model ?? defaultModel, turn: { by } }
  const never = new AbortController().signal
  return delegate(
    delegator,
    { signal: never },
    { ...request, agent: findAgent(agents, task.agent), mode: "background" },
  )
}
