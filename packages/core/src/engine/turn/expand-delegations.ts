import { DocketError } from "../../ground/error/docket-error.ts"
import { agentCalls, callDescription } from "../../ground/inline-command/agent-calls.ts"
import {
  type InlineCommand,
  parseInlineCommands,
  renderInlineCommand,
} from "../../ground/inline-command/parse-inline-commands.ts"
import { startableAgents, subagents } from "../../ground/rule/index.ts"
import { choice } from "../../ground/rule/startable-agents.ts"
import type { Agent, PermissionRuleset, PromptPart } from "../../ground/schema/index.ts"

/** The agents of a project, with the name and rules of the agent that receives the prompt. */
interface Lead {
  agents: Agent[]
  name: string
  rules: PermissionRuleset
}

/**
 * Turns delegations in a prompt into subtask parts: `/agent <name> <prompt>`, the lines of a `/parallel` block, and a
 * prompt that begins with `@name`. The loop runs them before any model call.
 * @throws DocketError agent_not_found, invalid_input
 */
export function expandDelegations(parts: PromptPart[], lead: Lead): PromptPart[] {
  const expanded = parts.flatMap((part): PromptPart[] =>
    part.type === "text" && part.synthetic !== true ? expandText(part.text, lead) : [part],
  )
  const delegated = new Set(expanded.flatMap((part) => (part.type === "subtask" ? [part.agent] : [])))
  // A mention that became a subtask needs no hint to the model.
  return expanded.filter((part) => part.type !== "agent" || !delegated.has(part.name))
}

function expandText(text: string, lead: Lead): PromptPart[] {
  const mention = /^\s*@([\w.-]+)\s+(\S[\s\S]*)$/.exec(text)
  const [, name, prompt] = mention ?? []
  if (name !== undefined && prompt !== undefined && subagents(lead.agents).some((agent) => agent.name === name)) {
    return [subtask(name, prompt.trim(), lead)]
  }
  const { inlineCommands, rest } = parseInlineCommands(text, { finished: true })
  const delegations = inlineCommands.filter(
    (inlineCommand) => inlineCommand.verb === "agent" || inlineCommand.verb === "parallel",
  )
  if (delegations.length === 0) return [{ type: "text", text }]
  const subtasks = delegations.flatMap((inlineCommand) =>
    readCalls(inlineCommand).map((call) => subtask(call.agent, call.prompt, lead)),
  )
  const others = inlineCommands.filter((inlineCommand) => !delegations.includes(inlineCommand)).map(renderInlineCommand)
  const left = [rest.trim(), ...others].filter((piece) => piece !== "").join("\n")
  return left === "" ? subtasks : [{ type: "text", text: left }, ...subtasks]
}

function readCalls(inlineCommand: InlineCommand) {
  try {
    return agentCalls(inlineCommand)
  } catch (error) {
    throw new DocketError("invalid_input", error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function subtask(name: string, prompt: string, lead: Lead): PromptPart {
  const startable = startableAgents(lead.agents, [lead.rules])
  if (startable.some((agent) => agent.name === name)) {
    return { type: "subtask", agent: name, prompt, description: callDescription(prompt) }
  }
  const problem = lead.agents.find((agent) => agent.name === name)?.problem
  if (problem) throw new DocketError("config_invalid", problem)
  if (!subagents(lead.agents).some((agent) => agent.name === name)) {
    throw new DocketError("agent_not_found", `There is no subagent "${name}". ${choice(startable)}`)
  }
  const words = `The rules do not let ${lead.name} start "${name}". Switch to another agent for this prompt. ${choice(startable)}`
  throw new DocketError("invalid_input", words)
}
