import { z } from "zod"
import { defineTool, type Tool } from "../../acts/tool/tool.ts"
import type { Task } from "../../ground/schema/index.ts"
import type { AsyncTaskMetadata } from "../../ground/schema/tool-metadata.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { agentList, askToDelegate, chooseSubagent, startableBy } from "./choose-subagent.ts"
import type { Delegate } from "./delegate-request.ts"
import { launchedAnswer, notFoundAnswer, resultAnswer } from "./task-answers.ts"
import { promptArgument, TaskRef, taskArguments, withAgents } from "./task-arguments.ts"
import type { Tasks } from "./tasks.ts"

/** A poll waits at most this long (ms): the model must stay able to do something else. */
const maxWait = 300_000

export interface AsyncTaskDeps {
  tasks: Tasks
  delegate: Delegate
  /** Resolves when the child's provider has answered at all, or the task has ended, or after a while. */
  launchSettled(task: Task): Promise<Task>
}

const taskID = TaskRef.describe("The task_id that async_task gave, or the task's number.")
const waitMs = z.number().int().min(0).max(maxWait).optional().describe("Wait up to this many ms for the end.")

const launchParameters = withAgents((agent) =>
  z.strictObject({
    ...taskArguments,
    agent,
    prompt: promptArgument("What it is to do, with every fact it needs and what to report back."),
    timeout: z.number().int().positive().optional().describe("End it after this many ms."),
  }),
)
const resultParameters = z.strictObject({ task_id: taskID, wait_ms: waitMs })
const gatherParameters = z.strictObject({
  task_ids: z.array(taskID).min(1).max(64),
  until: z.union([z.enum(["all", "any"]), z.number().int().positive()]).default("all"),
  wait_ms: waitMs,
})
const cancelParameters = z.strictObject({ task_id: taskID })
const messageParameters = z.strictObject({ task_id: taskID, message: z.string().trim().min(1) })

/** The tools for work that goes on beside the caller's own. */
export function createAsyncTaskTools(deps: AsyncTaskDeps, turn: TurnContext): Tool[] {
  return [
    launchTool(deps, turn),
    resultTool(deps, turn),
    gatherTool(deps, turn),
    cancelTool(deps, turn),
    messageTool(deps, turn),
  ]
}

function launchTool(deps: AsyncTaskDeps, turn: TurnContext): Tool {
  const startable = startableBy(turn)
  return defineTool({
    id: "async_task",
    permission: "task",
    parallel: true,
    description: `Starts a subagent in the background and returns at once with a task_id. Use it for independent work that may go on while you do something else; use task when you need the answer before you can go on.

Agents:
${agentList(startable)}

- Fetch answers with async_task_result, or several together with async_task_gather. An answer that you do not fetch is sent to you when the task has ended.
- The subagent cannot ask anybody: put all it needs into the prompt.`,
    parameters: launchParameters(startable),
    async execute(args, context) {
      const agent = chooseSubagent(turn, args.agent)
      await askToDelegate(context, "async_task", agent, args.description)
      const launched = await deps.delegate(turn, context, {
        agent,
        mode: "background",
        description: args.description,
        prompt: args.prompt,
        model: args.model,
        timeout: args.timeout,
        outputSchema: args.output_schema,
        todo: args.todo,
        review: args.review,
      })
      const task = await deps.launchSettled(launched)
      if (task.state === "failed") {
        await deps.tasks.delivered(task.id, "result")
        throw new Error(`The task could not be started: ${task.error?.message ?? "it failed at once."}`)
      }
      return { title: task.description, output: launchedAnswer(task), metadata: taskMetadata(task) }
    },
  })
}

function resultTool(deps: AsyncTaskDeps, turn: TurnContext): Tool {
  return defineTool({
    id: "async_task_result",
    permission: "task",
    parallel: true,
    waits: true,
    description: "Fetches the answer of a task that async_task started: its state, and the result once it has ended.",
    parameters: resultParameters,
    async execute(args, context) {
      const found = await deps.tasks.find(turn.session, args.task_id)
      if (found === null) return { title: args.task_id, output: notFoundAnswer(args.task_id), metadata: { tasks: [] } }
      const task = await deps.tasks.wait(found.id, { waitMs: args.wait_ms ?? 0, signal: context.signal })
      if (isEnded(task)) await deps.tasks.delivered(task.id, "poll")
      return { title: task.description, output: resultAnswer(task), metadata: { tasks: [taskMetadata(task)] } }
    },
  })
}

function gatherTool(deps: AsyncTaskDeps, turn: TurnContext): Tool {
  return defineTool({
    id: "async_task_gather",
    permission: "task",
    parallel: true,
    waits: true,
    description:
      "Waits for several tasks together and fetches what there is: until all have ended, any one has, or a number of them. After wait_ms it answers with those that ended so far.",
    parameters: gatherParameters,
    async execute(args, context) {
      const found = await Promise.all(args.task_ids.map((ref) => deps.tasks.find(turn.session, ref)))
      const known = found.filter((task) => task !== null)
      const wanted = args.until === "all" ? known.length : args.until === "any" ? 1 : Math.min(args.until, known.length)
      await waitFor(deps, { tasks: known, wanted, waitMs: args.wait_ms ?? maxWait, signal: context.signal })
      const now = await Promise.all(found.map((task) => (task === null ? null : deps.tasks.get(task.id))))
      for (const task of now) if (task !== null && isEnded(task)) await deps.tasks.delivered(task.id, "poll")
      const ended = now.filter((task) => task !== null && isEnded(task)).length
      const blocks = now.map((task, index) =>
        task === null ? notFoundAnswer(args.task_ids[index] ?? "") : resultAnswer(task),
      )
      return {
        title: `${ended} of ${found.length} ended`,
        output: `gathered: ${ended} of ${found.length}\n\n${blocks.join("\n\n")}`,
        metadata: { tasks: now.filter((task) => task !== null).map(taskMetadata) },
      }
    },
  })
}

interface Gathering {
  tasks: Task[]
  wanted: number
  waitMs: number
  signal: AbortSignal
}

/** Resolves when `wanted` tasks have ended or the time is up. */
async function waitFor(deps: AsyncTaskDeps, { tasks, wanted, waitMs: limit, signal }: Gathering): Promise<void> {
  if (wanted === 0) return
  let ended = 0
  const enough = Promise.withResolvers<void>()
  const stop = new AbortController()
  const waits = tasks.map(async (task) => {
    const now = await deps.tasks.wait(task.id, { waitMs: limit, signal: AbortSignal.any([signal, stop.signal]) })
    if (isEnded(now)) ended += 1
    if (ended >= wanted) enough.resolve()
  })
  const all = Promise.all(waits)
  all.catch(() => {})
  try {
    await Promise.race([enough.promise, all])
  } finally {
    stop.abort()
  }
  signal.throwIfAborted()
}

function cancelTool(deps: AsyncTaskDeps, turn: TurnContext): Tool {
  return defineTool({
    id: "async_task_cancel",
    permission: "task",
    parallel: true,
    description: "Ends a task that async_task started, with everything under it. What it has found so far is kept.",
    parameters: cancelParameters,
    async execute(args) {
      const found = await deps.tasks.find(turn.session, args.task_id)
      if (found === null) return { title: args.task_id, output: notFoundAnswer(args.task_id), metadata: { tasks: [] } }
      const task = await deps.tasks.cancel(found.id)
      await deps.tasks.delivered(task.id, "poll")
      return { title: task.description, output: resultAnswer(task), metadata: { tasks: [taskMetadata(task)] } }
    },
  })
}

function messageTool(deps: AsyncTaskDeps, turn: TurnContext): Tool {
  return defineTool({
    id: "task_message",
    permission: "task",
    parallel: true,
    description: "Gives a running task a message: a correction, a fact it lacks. It reads it before its next step.",
    parameters: messageParameters,
    async execute(args) {
      const found = await deps.tasks.find(turn.session, args.task_id)
      if (found === null) return { title: args.task_id, output: notFoundAnswer(args.task_id), metadata: { tasks: [] } }
      const task = await deps.tasks.message(found.id, args.message, { kind: "agent", name: turn.agent.name })
      return {
        title: task.description,
        output: "The message will be read before the task's next step.",
        metadata: { tasks: [taskMetadata(task)] },
      }
    },
  })
}

function taskMetadata({ id, number, sessionID, agent, description, state }: Task): AsyncTaskMetadata {
  return { taskId: id, number, sessionId: sessionID, agent, description, state }
}
