import { z } from "zod"
import { defineTool, type Tool, type ToolContext } from "../../acts/tool/tool.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { TaskMetadata } from "../../ground/schema/tool-metadata.ts"
import { agentList, askToDelegate, type Caller, chooseSubagent, startableBy } from "./choose-subagent.ts"
import type { DelegateRequest } from "./delegate-request.ts"
import { OptionalRef, promptArgument, taskArguments, withAgents } from "./task-arguments.ts"

/** Runs a task to its end, or until it is sent to the background. @throws Error with words for the calling model */
export type RunTask = (
  request: Omit<DelegateRequest, "mode">,
  context: ToolContext<"task">,
) => Promise<{ text: string; metadata: TaskMetadata }>

const parameters = withAgents((agentArgument) =>
  z.strictObject({
    ...taskArguments,
    prompt: promptArgument(
      "What the subagent is to do. It knows nothing of this conversation: put in every fact it needs and say what to report back.",
    ),
    subagent_type: agentArgument,
    task_id: OptionalRef.describe(
      "The session_id from an earlier <task_metadata>, or the task's number, to go on with that subagent and all that it knows.",
    ),
    session_id: OptionalRef.describe("Another name of task_id."),
    command: z.string().optional().describe("The command that asked for this task, if one did."),
  }),
)

/** The delegation tool that waits, described for the agents that may be called now. */
export function createTaskTool(deps: { caller: Caller; runTask: RunTask }): Tool {
  const startable = startableBy(deps.caller)
  return defineTool({
    id: "task",
    permission: "task",
    parallel: true,
    waits: true,
    description: `Delegates a task to a subagent, which works in a session of its own and answers once, with text.

Agents:
${agentList(startable)}

- For several independent tasks, call this tool several times in one answer: they run in parallel, and the calls after them do not wait for them. What needs an answer belongs into your next one.
- The subagent sees neither this conversation nor your todo list. Its answer is not shown to the user: report what matters.
- Do not delegate what one or two reads or searches would answer.`,
    parameters: parameters(startable),
    async execute(args, context) {
      const taskID = oneOf(args)
      const agent = chooseSubagent(deps.caller, args.subagent_type)
      await askToDelegate(context, "task", agent, args.description)
      const { text, metadata } = await deps.runTask(
        {
          agent,
          description: args.description,
          prompt: args.prompt,
          command: args.command,
          taskID,
          model: args.model,
          todo: args.todo,
          review: args.review,
          outputSchema: args.output_schema,
        },
        context,
      )
      const answer = quoteFrames(text)
      return {
        title: metadata.description,
        output: `${answer}\n\n<task_metadata>\nsession_id: ${metadata.sessionId}\n</task_metadata>`,
        metadata: { ...metadata, answerLength: answer.length },
      }
    },
  })
}

/** The specification of the tool knows the argument under both names. */
function oneOf({ task_id, session_id }: { task_id?: string | undefined; session_id?: string | undefined }) {
  if (task_id === undefined || session_id === undefined || task_id === session_id) return task_id ?? session_id
  throw new Error(
    `task_id is ${task_id} and session_id is ${session_id}, but both name the task to go on with. Send one.`,
  )
}
