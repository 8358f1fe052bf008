import { type AgentCall, agentCalls, callDescription } from "../../ground/inline-command/agent-calls.ts"
import { mergeRules } from "../../ground/rule/index.ts"
import type { Agent, CommandLine, ModelRef, Project, Session, Task } from "../../ground/schema/index.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { Delegate } from "../delegation/delegate.ts"
import { askToDelegate, type CallingAgent, chooseSubagent } from "../delegation/delegation-tools.ts"
import type { Delegator } from "../delegation/delegator.ts"
import { partialResult } from "../delegation/task-answers.ts"
import type { Tasks } from "../delegation/tasks.ts"
import type { InlineCommandContext, InlineCommandRunner } from "../loop/inline-command-runner.ts"
import { PersonGone } from "../loop/stop-reason.ts"

export interface AgentCommandDeps {
  tasks: Pick<Tasks, "wait" | "cancel" | "delivered">
  delegate: Delegate
  sessionByID(id: string): Promise<Session>
  setupOf(session: Session): Promise<{ project: Project; config: Config; agents: Agent[]; defaultModel: ModelRef }>
}

/** Added after a failed child: the same prompt would most likely fail again. */
const upstreamFailed =
  "UPSTREAM FAILED: do not repeat the same brief; change it, do the work yourself, or tell the user."

/**
 * `/agent <name> <prompt>` and `/parallel … /endparallel`, for models without tool calls. Both wait for the answers.
 */
export function createAgentCommandRunner(deps: AgentCommandDeps): InlineCommandRunner {
  return async (inlineCommand, context) => {
    const calls = agentCalls(inlineCommand)
    const session = await deps.sessionByID(context.sessionID)
    const { project, config, agents, defaultModel } = await deps.setupOf(session)
    const agent = findAgent(agents, session.agent)
    // The permission broker checks what the sessions above forbid.
    const rules = mergeRules(agent.permission, session.permission)
    const calling: CallingAgent = { agent, agents, rules, ceilings: [] }
    const model = session.model ?? defaultModel
    const from: Delegator = { session, project, config, agent, model, turn: context.turn }
    return Promise.all(calls.map((call) => runCall(deps, { from, calling, call, context })))
  }
}

interface Run {
  from: Delegator
  calling: CallingAgent
  call: AgentCall
  context: InlineCommandContext
}

/** The child's answer, or why there is none. A failing child never stops the others. */
async function runCall(deps: AgentCommandDeps, { from, calling, call, context }: Run): Promise<CommandLine> {
  const answered = (text: string, failed: boolean): CommandLine => ({
    kind: "answer",
    agent: call.agent,
    failed,
    text,
  })
  try {
    if (call.agent === from.agent.name) return answered("agent cannot invoke itself", true)
    const agent = chooseSubagent(calling, call.agent)
    const description = callDescription(call.prompt)
    const { ask } = context
    if (ask !== undefined) await askToDelegate({ ask }, "task", agent, description)
    const launched = await deps.delegate(
      from,
      { signal: context.signal },
      { agent, description, prompt: call.prompt, mode: "blocking" },
    )
    const ended = await waited(deps, launched, context.signal)
    await deps.tasks.delivered(ended.id, "result")
    if (ended.state === "completed") return answered(ended.result ?? "", false)
    return answered(`${ended.error?.message ?? ended.state}${partialResult(ended)}\n${upstreamFailed}`, true)
  } catch (error) {
    context.signal.throwIfAborted()
    return answered(error instanceof Error ? error.message : String(error), true)
  }
}

/** The ended task. When the waiting command is stopped, its task is cancelled. */
async function waited(deps: AgentCommandDeps, task: Task, signal: AbortSignal): Promise<Task> {
  const cancel = () => {
    // The task is then stopped together with all other work for that user.
    if (!(signal.reason instanceof PersonGone)) deps.tasks.cancel(task.id).catch(() => {})
  }
  signal.addEventListener("abort", cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    return await deps.tasks.wait(task.id)
  } finally {
    signal.removeEventListener("abort", cancel)
  }
}
