import { z } from "zod"
import type { Agent } from "../schema/index.ts"
import { defineTool, type Tool, type ToolContext } from "../tool/tool.ts"
import type { DelegateRequest } from "./delegate.ts"

/** Runs a task to its end, or until it is sent to the background. @throws Error with words for the calling model */
export type RunTask = (
  request: Omit<DelegateRequest, "mode">,
  context: ToolContext,
) => Promise<{ sessionID: string; text: string; background: boolean }>

const parameters = z.object({
  description: z.string().trim().min(1).max(200).describe("The task in 3 to 5 words."),
  prompt: z
    .string()
    .min(1)
    .describe(
      "What the subagent is to do. It knows nothing of this conversation: put in every fact it needs and say what to report back.",
    ),
  subagent_type: z.string().describe("Which agent does it."),
  task_id: z
    .string()
    .optional()
    .describe("The session_id from an earlier <task_metadata>, to go on with that subagent and all that it knows."),
  model: z.string().optional().describe('Another model for it, as "provider/model".'),
  todo: z.string().optional().describe("Number or id of the todo that this serves."),
  output_schema: z.record(z.string(), z.unknown()).optional().describe("A JSON Schema that the answer must fit."),
  command: z.string().optional().describe("The command that asked for this task, if one did."),
})

/** Agents that may be delegated to. */
export function subagents(agents: Agent[]): Agent[] {
  return agents.filter((agent) => agent.mode !== "primary" && !agent.hidden)
}

/** @throws Error that names the agents there are */
export function chooseSubagent(agents: Agent[], name: string): Agent {
  const available = subagents(agents)
  const agent = available.find((candidate) => candidate.name === name)
  if (agent !== undefined) return agent
  const problem = agents.find((candidate) => candidate.name === name)?.problem
  if (problem) throw new Error(problem)
  throw new Error(
    `There is no subagent "${name}". Use one of: ${available.map((candidate) => candidate.name).join(", ")}.`,
  )
}

export async function askToDelegate(
  context: ToolContext,
  tool: string,
  agent: Agent,
  description: string,
): Promise<void> {
  await context.ask({
    permission: "task",
    patterns: [agent.name],
    always: [agent.name],
    metadata: { tool, title: description, agent: agent.name, description },
  })
}

export function agentList(agents: Agent[]): string {
  return subagents(agents)
    .map((agent) => `- ${agent.name}: ${agent.description}`)
    .join("\n")
}

/** The delegation tool that waits, described for the agents that may be called now. */
export function createTaskTool(deps: { agents: Agent[]; runTask: RunTask }): Tool {
  return defineTool({
    id: "task",
    permission: "task",
    parallel: true,
    waits: true,
    description: `Delegates a task to a subagent, which works in a session of its own and answers once, with text.

Agents:
${agentList(deps.agents)}

- For several independent tasks, call this tool several times in one answer: they run in parallel.
- The subagent sees neither this conversation nor your todo list. Its answer is not shown to the user: report what matters.
- Do not delegate what one or two reads or searches would answer.`,
    parameters,
    async execute(args, context) {
      const agent = chooseSubagent(deps.agents, args.subagent_type)
      await askToDelegate(context, "task", agent, args.description)
      const answer = await deps.runTask(
        {
          agent,
          description: args.description,
          prompt: args.prompt,
          taskID: args.task_id,
          model: args.model,
          todo: args.todo,
          outputSchema: args.output_schema,
        },
        context,
      )
      return {
        title: args.description,
        output: `${answer.text}\n\n<task_metadata>\nsession_id: ${answer.sessionID}\n</task_metadata>`,
        metadata: answer.background ? { background: true } : {},
      }
    },
  })
}
