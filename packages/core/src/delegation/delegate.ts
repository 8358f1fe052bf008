import type { LoopModels, TurnContext } from "../prompt/turn-context.ts"
import { parseModelRef } from "../provider/model-ref.ts"
import type { Agent, PromptPart, Task, TaskLimits } from "../schema/index.ts"
import type { ToolContext } from "../tool/tool.ts"
import { type ChildDeps, childSession } from "./child-session.ts"
import { type Envelope, envelopeText, probe } from "./envelope.ts"
import { configuredLimits, noLimits, remaining, strictest } from "./limits.ts"
import { servedTodo } from "./served-todo.ts"
import { assertSchema, schemaInstruction } from "./task-output.ts"
import type { Tasks } from "./tasks.ts"
import { workPlace } from "./work-place.ts"
import type { Worktrees } from "./worktrees.ts"

const defaults = { depth: 2, concurrency: 8 }

export interface DelegateDeps extends ChildDeps {
  tasks: Tasks
  models: Pick<LoopModels, "resolve">
  worktrees: Worktrees
  /** The open todos of a session in the form of `/todo list`, or null. */
  openTodos(sessionID: string): Promise<string | null>
  /** Memory lines for a child of the session, or null. */
  memoryLines(sessionID: string): Promise<string | null>
  /** What the user asked the root of the tree. */
  originalRequest(rootID: string): Promise<string | null>
}

export interface DelegateRequest {
  agent: Agent
  description: string
  prompt: string
  mode: Task["mode"]
  taskID?: string | undefined
  /** `provider/model` */
  model?: string | undefined
  /** ms */
  timeout?: number | undefined
  outputSchema?: Record<string, unknown> | undefined
  /** Id or number of the todo that it serves. */
  todo?: string | undefined
}

/** The session that delegates, as its turn has it. */
export type Delegator = Pick<TurnContext, "session" | "project" | "config" | "agent" | "model">

/** The tool call that delegates; without ids when a person does. */
export type DelegationCall = Pick<ToolContext, "signal"> & Partial<Pick<ToolContext, "messageID" | "partID" | "callID">>

/** Starts a task: checks what can be checked now, makes the child, stores and queues it. */
export type Delegate = (turn: Delegator, call: DelegationCall, request: DelegateRequest) => Promise<Task>

export function createDelegate(deps: DelegateDeps): Delegate {
  return async (turn, call, request) => {
    const reserved = deps.tasks.reserveNumber(turn.session.rootID)
    // Awaited below, unless something else fails first.
    reserved.catch(() => {})
    const { agent } = request
    const ids = callIDs(call)
    const model = request.model === undefined ? (agent.model ?? turn.model) : parseModelRef(request.model)
    // An unknown model or a missing key is an error of the call, not of a task that never worked.
    await deps.models.resolve(model, turn.config)
    if (request.outputSchema !== undefined) await assertSchema(request.outputSchema)
    const todoID = request.todo === undefined ? null : await servedTodo(deps.store.todo, turn.session.id, request.todo)
    call.signal.throwIfAborted()
    const above = deps.tasks.ofChild(turn.session.id)
    const configured = configuredLimits(turn.config.delegation, turn.config.agent?.[agent.name])
    const own = { ...noLimits, wallClock: request.timeout ?? null }
    const limits = strictest(configured, own, above === null ? noLimits : remaining(above, deps.clock()))
    if (above !== null) assertSomeLeft(limits, above)
    const made = await childSession(deps, turn, {
      agent,
      description: request.description,
      model,
      taskID: request.taskID,
      origin: ids && { messageID: ids.messageID, callID: ids.callID },
      directory: turn.session.directory,
      mayAsk: request.mode === "blocking",
    })
    const place = await workPlace(deps, turn, request, made)
    try {
      const number = await reserved
      const before = [...place.told, ...(await preamble(deps, turn, request.outputSchema))]
      // Last: what was stopped meanwhile must not start.
      call.signal.throwIfAborted()
      return await deps.tasks.launch({
        number,
        parent: turn.session,
        child: place.child,
        mutations: place.mutations,
        agent: agent.name,
        description: request.description,
        prompt: request.prompt,
        preamble: before,
        model,
        mode: request.mode,
        call: ids,
        limits,
        concurrency: turn.config.delegation?.concurrency ?? defaults.concurrency,
        outputSchema: request.outputSchema ?? null,
        todoID,
        worktree: place.worktree,
      })
    } catch (error) {
      await place.discard()
      throw error
    }
  }
}

/** A task with nothing left for another under it says so at once. */
function assertSomeLeft(limits: TaskLimits, above: Task): void {
  if (!Object.values(limits).includes(0)) return
  throw new Error(
    `Task #${above.number} has used up a limit (tokens, cost, time or tool calls), so it can start no task. Do without.`,
  )
}

function callIDs({ messageID, partID, callID }: DelegationCall) {
  return messageID === undefined || partID === undefined || callID === undefined ? null : { messageID, partID, callID }
}

/** What a child is told before its prompt. */
async function preamble(
  deps: DelegateDeps,
  turn: Delegator,
  schema: Record<string, unknown> | undefined,
): Promise<PromptPart[]> {
  const parts: PromptPart[] = []
  if (turn.config.delegation?.envelope !== false) {
    const request = await probe(() => deps.originalRequest(turn.session.rootID))
    if (request !== null)
      parts.push({ type: "text", synthetic: true, text: envelopeText(await envelope(deps, turn, request)) })
  }
  if (schema !== undefined) parts.push({ type: "text", synthetic: true, text: schemaInstruction(schema) })
  return parts
}

async function envelope(deps: DelegateDeps, turn: Delegator, originalRequest: string): Promise<Envelope> {
  return {
    originalRequest,
    delegatedBy: turn.agent.name,
    depth: turn.session.depth + 1,
    maxDepth: turn.config.delegation?.depth ?? defaults.depth,
    memory: await probe(() => deps.memoryLines(turn.session.id)),
    openTodos: await probe(() => deps.openTodos(turn.session.id)),
  }
}
