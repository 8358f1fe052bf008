import { z } from "zod"
import type { Agent } from "../schema/index.ts"
import { defineTool, type Tool, type ToolContext } from "../tool/tool.ts"

export interface ChildRequest {
  description: string
  prompt: string
  agent: Agent
  /** A child session of the same tree to go on with. */
  taskID: string | undefined
}

export interface ChildAnswer {
  sessionID: string
  text: string
}

/** Runs a child session to its end. @throws Error with words for the calling model */
export type RunChild = (request: ChildRequest, context: ToolContext) => Promise<ChildAnswer>

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
  command: z.string().optional().describe("The command that asked for this task, if one did."),
})

/** The delegation tool, described for the agents that may be called now. */
export function createTaskTool(deps: { agents: Agent[]; runChild: RunChild }): Tool {
  const available = deps.agents.filter((agent) => agent.mode !== "primary" && !agent.hidden)
  const list = available.map((agent) => `- ${agent.name}: ${agent.description}`).join("\n")
  return defineTool({
    id: "task",
    permission: "task",
    parallel: true,
    description: `Delegates a task to a subagent, which works in a session of its own and answers once, with text.

Agents:
${list}

- For several independent tasks, call this tool several times in one answer: they run in parallel.
- The subagent sees neither this conversation nor your todo list. Its answer is not shown to the user: report what matters.
- Do not delegate what one or two reads or searches would answer.`,
    parameters,
    async execute(args, context) {
      const agent = available.find((candidate) => candidate.name === args.subagent_type)
      if (agent === undefined) {
        const names = available.map((candidate) => candidate.name).join(", ")
        throw new Error(`There is no subagent "${args.subagent_type}". Use one of: ${names}.`)
      }
      await context.ask({
        permission: "task",
        patterns: [agent.name],
        always: [agent.name],
        metadata: { tool: "task", title: args.description, agent: agent.name, description: args.description },
      })
      const request = { description: args.description, prompt: args.prompt, agent, taskID: args.task_id }
      const answer = await deps.runChild(request, context)
      return {
        title: args.description,
        output: `${answer.text}\n\n<task_metadata>\nsession_id: ${answer.sessionID}\n</task_metadata>`,
        metadata: {},
      }
    },
  })
}
