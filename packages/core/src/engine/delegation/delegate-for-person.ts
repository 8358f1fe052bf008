import type { Agent, Caller, ModelRef, Project, Session, Task, ToolSwitches } from "../../ground/schema/index.ts"
import { typedTitle } from "../../records/session/title-from.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { Config } from "../../setup/config/schema.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import { type ChildDeps, childSession } from "./child-session.ts"
import type { Delegate, DelegateRequest, DelegationCall } from "./delegate.ts"
import type { Delegator } from "./delegator.ts"

interface RestartDeps {
  setupOf(session: Session): Promise<{ project: Project; config: Config; agents: Agent[]; defaultModel: ModelRef }>
}

/** A task that a person restarts or resumes. */
interface PersonsTask {
  task: Task
  parent: Session
  by: Caller
}

/** Runs an ended task again, in a new child session and in the background. */
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

/** The prompt that resumes an ended child, with mutations to commit together with the new task. */
export type ResumePrompt = Pick<DelegateRequest, "prompt" | "notice" | "more"> & { by: Caller }

/** Resumes the child of an ended task with another prompt, in the background. */
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
  const { agents, ...delegator } = await personAsDelegator(deps, { parent, by })
  const agent = findAgent(agents, task.agent)
  return delegate({ session: parent, ...delegator }, neverAborted(), { ...request, agent, mode: "background" })
}

/** A person's request for work in a child of `parent`. They read the result by themselves. */
export interface AskedTask extends Pick<DelegateRequest, "description" | "prompt" | "outputSchema"> {
  parent: Session
  by: Caller
  agent: string
  model?: ModelRef | undefined
  /** A child of the parent that goes on; without it, a new one. */
  childID?: string | undefined
  /** Tools that the child does without. */
  tools?: ToolSwitches | undefined
}

/** Starts a task as a person asks for it, in the background. */
export async function startTask(deps: RestartDeps, delegate: Delegate, asked: AskedTask): Promise<Task> {
  const { parent, model, childID: taskID, description, prompt, outputSchema } = asked
  const { agents, ...delegator } = await personAsDelegator(deps, asked)
  return delegate({ session: parent, ...delegator }, neverAborted(), {
    agent: findAgent(agents, asked.agent),
    ...{ description, prompt, outputSchema, taskID, mode: "background", isCollected: true },
    ...(model && { model: `${model.providerID}/${model.modelID}` }),
  })
}

/** A person's request for a child that does nothing yet. */
export type AskedChild = Pick<AskedTask, "parent" | "by" | "tools"> & { title: string; agent?: string | undefined }

/** Creates a child without work. Its first task may be for any agent. @throws depth_limit, agent_not_found */
export async function makeChild(deps: RestartDeps & ChildDeps, asked: AskedChild): Promise<Session> {
  const { parent, by, title } = asked
  const { agents, ...delegator } = await personAsDelegator(deps, asked)
  const agent = asked.agent === undefined ? usualSubagent(agents) : findAgent(agents, asked.agent)
  const made = await childSession(
    deps,
    { session: parent, ...delegator },
    {
      ...{ agent, description: title, taskID: undefined, isUnused: false, origin: null, mayAsk: false },
      model: agent.model ?? delegator.model,
      directory: parent.directory,
    },
  )
  const child: Session = { ...made.child, title: typedTitle(title), by }
  await deps.journal.commit(parent.rootID, [{ kind: "session", value: child }])
  return child
}

async function personAsDelegator(deps: RestartDeps, { parent, by, tools }: Pick<AskedTask, "parent" | "by" | "tools">) {
  const { config, agents, defaultModel, ...setup } = await deps.setupOf(parent)
  const project = workingProject(parent, setup.project)
  const turn: Delegator["turn"] = { by, ...(tools && { input: { parts: [], tools } }) }
  return { project, config, agents, agent: findAgent(agents, parent.agent), model: parent.model ?? defaultModel, turn }
}

/** The agent of a child for which nobody has chosen one. */
function usualSubagent(agents: readonly Agent[]): Agent {
  const subagents = agents.filter(({ mode, hidden, problem }) => mode !== "primary" && !hidden && problem === null)
  return subagents.find(({ name }) => name === "general") ?? subagents[0] ?? findAgent(agents, "general")
}

function neverAborted(): DelegationCall {
  return { signal: new AbortController().signal }
}
