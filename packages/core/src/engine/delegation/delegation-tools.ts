import { z } from "zod"
import { CallOutcome, defineTool, type Tool, type ToolContext } from "../../acts/tool/tool.ts"
import type { Bus } from "../../ground/event/bus.ts"
import { callAlarm } from "../../ground/message/call-status.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { noUsage, totalTokens, type Usage } from "../../ground/message/usage.ts"
import { startableAgents, subagents } from "../../ground/rule/index.ts"
import { choice } from "../../ground/rule/startable-agents.ts"
import type { Agent, DocketEvent, ModelRef, Session, Task, ToolPart } from "../../ground/schema/index.ts"
import type { AsyncTaskMetadata, TaskMetadata } from "../../ground/schema/tool-metadata.ts"
import type { Store } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { ProgramSubagent } from "../program/agent-programs.ts"
import type { ProgramGuests } from "../program/program-guests.ts"
import type { Delegate, DelegateRequest } from "./delegate.ts"
import { failureAnswer, failureReason, launchedAnswer, notFoundAnswer, resultAnswer } from "./task-answers.ts"
import type { Tasks } from "./tasks.ts"

const Text = z.string().trim().min(1, "must not be empty")
/** Models send an empty string for an argument that they mean to omit. */
const OptionalText = z
  .string()
  .optional()
  .transform((text) => text?.trim() || undefined)

/** A task as a person or a model names it: by session id, task id or number. */
const TaskRef = z.union([Text, z.int().positive()]).transform(String)
const OptionalRef = z
  .union([z.string(), z.int()])
  .optional()
  .transform((ref) => String(ref ?? "").trim() || undefined)

/** The arguments that all tools share that start a task. */
const taskArguments = {
  description: Text.max(200).describe("The task in 3 to 5 words."),
  model: OptionalText.describe('Another model for it, as "provider/model".'),
  todo: OptionalRef.describe("Number or id of the todo that this serves."),
  review: z.literal("required").optional().describe("The task ends only once a person has approved it."),
  output_schema: z.record(z.string(), z.unknown()).optional().describe("A JSON Schema that the answer must fit."),
}

function promptArgument(description: string) {
  return Text.describe(description)
}

/** How many lists of agents have their parameters cached. */
const keptLists = 32

/**
 * Parameters that name the startable agents. The same names return the same object, so that the cached tool schema
 * stays valid. `chooseSubagent` answers an unknown name.
 */
function withAgents<T>(make: (agentArgument: z.ZodString) => T): (startable: readonly Agent[]) => T {
  const made = new Map<string, T>()
  return (startable) => {
    const names = startable.map(({ name }) => name)
    const key = JSON.stringify(names)
    const known = made.get(key) ?? make(z.string().meta({ enum: names }).describe("Which agent does it."))
    if (made.size >= keptLists) made.clear()
    made.set(key, known)
    return known
  }
}

/** The agent that delegates, with everything that decides which agents it may start. */
export type CallingAgent = Pick<TurnContext, "agent" | "agents" | "rules" | "ceilings">

export function startableBy({ agents, rules, ceilings }: CallingAgent): Agent[] {
  return startableAgents(agents, [rules, ...ceilings])
}

/** @throws Error that names the agents that the calling agent may start */
export function chooseSubagent(calling: CallingAgent, name: string): Agent {
  const startable = startableBy(calling)
  const agent = startable.find((candidate) => candidate.name === name)
  if (agent !== undefined) return agent
  const problem = calling.agents.find((candidate) => candidate.name === name)?.problem
  if (problem) throw new Error(problem)
  const isKnown = subagents(calling.agents).some((candidate) => candidate.name === name)
  throw new Error(
    isKnown
      ? `The rules do not let ${calling.agent.name} start "${name}". ${choice(startable)}`
      : `There is no subagent "${name}". ${choice(startable)}`,
  )
}

function agentList(agents: readonly Agent[]): string {
  return agents.map((agent) => `- ${agent.name}: ${agent.description}`).join("\n")
}

export async function askToDelegate(
  context: Pick<ToolContext, "ask">,
  tool: string,
  agent: Agent,
  description: string,
): Promise<void> {
  await context.ask({
    permission: "task",
    patterns: [agent.name],
    always: [agent.name],
    metadata: { kind: "task", tool, agent: agent.name, description },
  })
}

/** Runs a task until it ends or is sent to the background. @throws Error with a text for the calling model */
type RunTask = (
  request: Omit<DelegateRequest, "mode">,
  context: ToolContext<"task">,
) => Promise<{ text: string; metadata: TaskMetadata }>

const taskParameters = withAgents((agentArgument) =>
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

/** The delegation tool that waits for its task. It lists the agents that may be started now. */
export function createTaskTool(deps: { calling: CallingAgent; runTask: RunTask }): Tool {
  const startable = startableBy(deps.calling)
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
    parameters: taskParameters(startable),
    async execute(args, context) {
      const taskID = resumedTask(args)
      const agent = chooseSubagent(deps.calling, args.subagent_type)
      await askToDelegate(context, "task", agent, args.description)
      const done = await deps.runTask(
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
      return taskOutput(done)
    },
  })
}

function taskOutput({ text, metadata }: Awaited<ReturnType<RunTask>>) {
  const answer = quoteFrames(text)
  return {
    title: metadata.description,
    output: `${answer}\n\n<task_metadata>\nsession_id: ${metadata.sessionId}\n</task_metadata>`,
    metadata: { ...metadata, answerLength: answer.length },
  }
}

/**
 * The call in which a subagent that a program started by itself works as a task. Nobody is asked for leave: it works
 * already, and what it does is asked.
 */
export function createGuestTool(
  { runTask, guests }: { runTask: RunTask; guests: ProgramGuests },
  { agent }: Pick<TurnContext, "agent">,
  guest: ProgramSubagent,
): Tool {
  return defineTool({
    id: "task",
    permission: "task",
    parallel: true,
    waits: true,
    description: "A subagent of a program.",
    parameters: z.strictObject({ description: z.string(), prompt: z.string(), subagent_type: z.string() }),
    async execute({ description, prompt }, context) {
      try {
        return taskOutput(await runTask({ agent, description, prompt, guest }, context))
      } catch (error) {
        if (guests.forget(guest)) guest.refuse()
        throw error
      }
    },
  })
}

/** The task to resume; undefined for a new one. The specification of the tool allows both names for the argument. */
function resumedTask({ task_id, session_id }: { task_id?: string | undefined; session_id?: string | undefined }) {
  if (task_id === undefined || session_id === undefined || task_id === session_id) return task_id ?? session_id
  throw new Error(
    `task_id is ${task_id} and session_id is ${session_id}, but both name the task to go on with. Send one.`,
  )
}

interface RunTaskDeps {
  store: Pick<Store, "session">
  bus: Bus
  clock: () => number
  tasks: Tasks
  delegate: Delegate
}

/** Runs a blocking task: mirrors the child's progress and waits until the task ends or is sent to the background. */
export function createRunTask(deps: RunTaskDeps, turn: TurnContext): RunTask {
  return async (request, context) => {
    // After a restart the task may be running already.
    const known = deps.tasks.ofCall(context.partID)
    const launched = known ?? (await deps.delegate(turn, context, { ...request, mode: "blocking" }))
    context.underWay()
    const child = await childOf(deps, launched.sessionID)
    const { id, agent, model, description } = launched
    const mirror = mirrorProgress(deps, { id, child, agent, model, description }, context)
    const cancel = () => void deps.tasks.giveUp(launched.id, context.signal.reason).catch(() => {})
    context.signal.addEventListener("abort", cancel, { once: true })
    if (context.signal.aborted) cancel()
    try {
      const ended = await deps.tasks.released(launched.id)
      const metadata = mirror.end(ended)
      if (!isEnded(ended)) return { text: backgroundText, metadata: { ...metadata, background: true } }
      await deps.tasks.delivered(ended.id, "result")
      if (ended.state !== "completed")
        throw new CallOutcome(failureAnswer(ended), { rejectedWithin: ended.error?.type === "rejected" })
      return { text: ended.result ?? "", metadata }
    } finally {
      context.signal.removeEventListener("abort", cancel)
    }
  }
}

const backgroundText =
  "The task was sent to the background and goes on there. Go on with other work: you are told when it ends; do not wait or poll for it."

async function childOf(deps: RunTaskDeps, sessionID: string): Promise<Session> {
  const child = await deps.store.session.get(sessionID)
  if (child === null) throw new Error(`The child session ${sessionID} was removed.`)
  return child
}

/** The newest calls of the child that the card lists; `toolCount` counts all. */
const maxSummary = 50

/** Mirrors what happens in a child session into the metadata of the parent's tool part. */
function mirrorProgress(
  deps: { bus: Bus; clock: () => number },
  task: { id: string; child: Session; agent: string; model: ModelRef; description: string },
  context: Pick<ToolContext<"task">, "progress">,
): { end(task: Task): TaskMetadata } {
  const { child } = task
  const startedAt = deps.clock()
  const calls = new Map<string, TaskMetadata["summary"][number]>()
  let state: TaskMetadata["state"] = "queued"
  let failure: string | null = null
  let usage: Usage = noUsage
  const metadata = (): TaskMetadata => ({
    sessionId: child.id,
    agent: task.agent,
    model: task.model,
    description: task.description,
    state,
    summary: [...calls.values()].slice(-maxSummary),
    toolCount: calls.size,
    startedAt,
    elapsed: deps.clock() - startedAt,
    tokens: totalTokens(usage.tokens),
    cost: usage.cost,
    ...(failure !== null && { failure }),
  })
  const report = () => context.progress({ title: task.description, metadata: metadata() })
  const hear = (event: DocketEvent) => {
    if (event.type === "message.part.updated") {
      const { part } = event.properties
      if (part.type !== "tool" || part.sessionID !== child.id) return
      calls.set(part.id, { id: part.id, tool: part.tool, status: stepStatus(part), title: callTitle(part) })
    } else if (event.type === "session.updated" && event.properties.info.id === child.id) {
      if (state !== "queued" || event.properties.info.status.type === "idle") return
      state = "running"
    } else if (event.type === "task.updated" && event.properties.task.id === task.id) {
      if (event.properties.task.usage === usage) return
      usage = event.properties.task.usage
    } else return
    report()
  }
  const unsubscribe = deps.bus.subscribe((event) => {
    if (event.rootID === child.rootID) hear(event)
  })
  report()
  return {
    end(ended) {
      unsubscribe()
      state = ended.state
      usage = ended.usage
      failure = failureReason(ended)
      report()
      return metadata()
    },
  }
}

/** A completed call whose command failed is shown as an error. */
function stepStatus(part: ToolPart): TaskMetadata["summary"][number]["status"] {
  return callAlarm(part) === null ? part.state.status : "error"
}

function callTitle(part: ToolPart): string {
  const { state } = part
  return state.status === "pending" ? "" : (state.title ?? "")
}

/** The longest wait of one poll (ms): the model must stay able to do something else. */
const maxWait = 300_000

interface AsyncTaskDeps {
  tasks: Tasks
  delegate: Delegate
  /** Resolves when the child's provider has sent anything, when the task has ended, or after a time limit. */
  launchSettled(task: Task): Promise<Task>
}

const taskArgument = TaskRef.describe("The task_id that async_task gave, or the task's number.")
const waitArgument = z.number().int().min(0).max(maxWait).optional().describe("Wait up to this many ms for the end.")

const launchParameters = withAgents((agent) =>
  z.strictObject({
    ...taskArguments,
    agent,
    prompt: promptArgument("What it is to do, with every fact it needs and what to report back."),
    timeout: z.number().int().positive().optional().describe("End it after this many ms."),
  }),
)
const resultParameters = z.strictObject({ task_id: taskArgument, wait_ms: waitArgument })
const gatherParameters = z.strictObject({
  task_ids: z.array(taskArgument).min(1).max(64),
  until: z.union([z.enum(["all", "any"]), z.number().int().positive()]).default("all"),
  wait_ms: waitArgument,
})
const cancelParameters = z.strictObject({ task_id: taskArgument })
const messageParameters = z.strictObject({ task_id: taskArgument, message: z.string().trim().min(1) })

/** The tools for background tasks. */
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
      const count = args.until === "all" ? known.length : args.until === "any" ? 1 : Math.min(args.until, known.length)
      await waitFor(deps, { tasks: known, count, waitMs: args.wait_ms ?? maxWait, signal: context.signal })
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
  /** How many of the tasks must have ended. */
  count: number
  waitMs: number
  signal: AbortSignal
}

/** Resolves when `count` of the tasks have ended or the time is up. */
async function waitFor(deps: AsyncTaskDeps, { tasks, count, waitMs: limit, signal }: Gathering): Promise<void> {
  if (count === 0) return
  let ended = 0
  const enough = Promise.withResolvers<void>()
  const stop = new AbortController()
  const waits = tasks.map(async (task) => {
    const now = await deps.tasks.wait(task.id, { waitMs: limit, signal: AbortSignal.any([signal, stop.signal]) })
    if (isEnded(now)) ended += 1
    if (ended >= count) enough.resolve()
  })
  const all = Promise.all(waits)
  // A wait that fails after the race must not be an unhandled rejection.
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

/** How long a launch waits for the provider's first sign once it was asked (ms). More would delay the caller. */
const settleMs = 1_500
/** How long a launch waits for the child to ask its provider (ms): on a busy machine a child starts slowly. */
const beginMs = 5_000

/**
 * Resolves when the provider of a launched task has sent anything, when the task waits for a slot or has ended, or
 * after a time limit. So the caller learns of a provider that refuses (a wrong key, an unknown address).
 */
export async function settledLaunch(
  deps: { bus: Bus; tasks: Pick<Tasks, "get" | "isWaiting"> },
  task: Task,
): Promise<Task> {
  const settled = Promise.withResolvers<void>()
  /** The child's newest answer. */
  let answerID: string | null = null
  let timer: NodeJS.Timeout | undefined
  const giveUpAfter = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(settled.resolve, ms)
  }
  const unsubscribe = deps.bus.subscribe((event) => {
    if (event.type === "message.updated") {
      const { info } = event.properties
      if (info.sessionID !== task.sessionID || info.role !== "assistant") return
      if (answerID === null) giveUpAfter(settleMs)
      answerID = info.id
    }
    if (event.type === "message.part.updated") {
      const { part } = event.properties
      if (part.messageID === answerID && part.type !== "step-start" && part.type !== "retry") settled.resolve()
    }
    if (event.type === "task.updated" && event.properties.task.id === task.id && isEnded(event.properties.task))
      settled.resolve()
  })
  giveUpAfter(beginMs)
  try {
    // A queued task has not called its provider yet.
    if (!deps.tasks.isWaiting(task.id) && !isEnded(await deps.tasks.get(task.id))) await settled.promise
    return await deps.tasks.get(task.id)
  } finally {
    clearTimeout(timer)
    unsubscribe()
  }
}
