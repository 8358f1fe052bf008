import type { ModelRef, PromptPart, Session, Task, TaskLimits } from "../../ground/schema/index.ts"
import { taskTitle } from "../../records/session/title-from.ts"
import type { Config } from "../../setup/config/schema.ts"
import { parseModelRef } from "../../setup/provider/model-ref.ts"
import type { LoopModels } from "../loop/loop-models.ts"
import { causeOf } from "../turn/cause-of.ts"
import { type ChildDeps, childSession } from "./child-session.ts"
import type { Delegate, DelegateRequest, DelegationCall, Delegator } from "./delegate-request.ts"
import { type Envelope, envelopeText, probe } from "./envelope.ts"
import { configuredLimits, noLimits, remaining, strictest } from "./limits.ts"
import type { NewTask } from "./new-task.ts"
import { servedTodo } from "./served-todo.ts"
import { assertSchema, schemaInstruction } from "./task-output.ts"
import type { Tasks } from "./tasks.ts"
import { type WorkPlace, workPlace } from "./work-place.ts"
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
  /** What the user asked of the root for which the session works; `messageID` is the answer that delegates. */
  originalRequest(session: Session, messageID: string | null): Promise<string | null>
}

export function createDelegate(deps: DelegateDeps): Delegate {
  return async (turn, call, request) => {
    // At once, beside what else is being launched.
    const preparing = prepare(deps, turn, call, request)
    // Thrown below, when it is this call's turn.
    preparing.catch(() => {})
    try {
      return await deps.tasks.launch(turn.session.rootID, async () => {
        const { task } = await preparing
        // Last: what was stopped meanwhile must not start.
        call.signal.throwIfAborted()
        return task
      })
    } catch (error) {
      const made = await preparing.catch(() => null)
      await made?.discard()
      throw error
    }
  }
}

/** Children of one session that may run at once. */
export function concurrencyOf({ delegation }: Config): number {
  return delegation?.concurrency ?? defaults.concurrency
}

/** Checks what can be checked and makes what the task needs. `discard` takes that back. */
async function prepare(
  deps: DelegateDeps,
  turn: Delegator,
  call: DelegationCall,
  request: DelegateRequest,
): Promise<{ task: NewTask; discard: WorkPlace["discard"] }> {
  const { agent, prompt, command = null, mode, notice = null, more = [], outputSchema = null } = request
  const description = taskTitle(request.description)
  const ids = callIDs(call)
  const resumed = request.taskID === undefined ? null : await resumedChild(deps, turn.session, request.taskID)
  const model = taskModel(turn, request, resumed?.last ?? null)
  // An unknown model or a missing key is an error of the call, not of a task that never worked.
  await deps.models.resolve(model, turn.config)
  if (outputSchema !== null) await assertSchema(outputSchema)
  const todoID = request.todo === undefined ? null : await servedTodo(deps.store.todo, turn.session.id, request.todo)
  call.signal.throwIfAborted()
  const limits = taskLimits(deps, turn, request)
  const made = await childSession(deps, turn, {
    agent,
    description,
    model,
    taskID: resumed?.id,
    origin: ids && { messageID: ids.messageID, callID: ids.callID },
    directory: turn.session.directory,
    mayAsk: mode === "blocking",
  })
  const before = await preamble(deps, turn, { call, schema: outputSchema })
  const { child, mutations, worktree, told, discard } = await workPlace(deps, turn, request, made)
  const concurrency = concurrencyOf(turn.config)
  const place = {
    parent: turn.session,
    child,
    mutations: [...mutations, ...more],
    worktree,
    preamble: [...told, ...before],
    cause: causeOf(turn.turn) ?? undefined,
    call: ids,
  }
  const task = {
    agent: agent.name,
    description,
    prompt,
    command,
    notice,
    model,
    mode,
    limits,
    concurrency,
    outputSchema,
    todoID,
    review: reviewOf(turn, request),
  }
  return { task: { ...place, ...task }, discard }
}

/** The child that a caller names by session, task or number, with its newest task; the name itself when there is none. */
async function resumedChild(
  deps: DelegateDeps,
  parent: Session,
  ref: string,
): Promise<{ id: string; last: Task | null }> {
  const id = (await deps.tasks.find(parent, ref))?.sessionID ?? ref
  return { id, last: await deps.tasks.find(parent, id) }
}

/**
 * The model that was asked for; else the one that a resumed child worked with last, unless another agent with a model
 * of its own goes on with it; else the agent's, else the caller's.
 */
function taskModel(turn: Delegator, { agent, model }: DelegateRequest, last: Task | null): ModelRef {
  if (model !== undefined) return parseModelRef(model)
  const own = last?.agent === agent.name ? last.model : (agent.model ?? last?.model)
  return own ?? agent.model ?? turn.model
}

/** Whoever asks for a review gets one: the call, the agent's configuration or the project's. */
function reviewOf({ config }: Delegator, { agent, review }: DelegateRequest): Task["review"] {
  return review ?? config.agent?.[agent.name]?.review ?? config.delegation?.review
}

function taskLimits(deps: DelegateDeps, turn: Delegator, { agent, timeout }: DelegateRequest): TaskLimits {
  const above = deps.tasks.ofChild(turn.session.id)
  const configured = configuredLimits(turn.config.delegation, turn.config.agent?.[agent.name])
  const own = { ...noLimits, wallClock: timeout ?? null }
  const limits = strictest(configured, own, above === null ? noLimits : remaining(above, deps.clock()))
  if (above !== null) assertSomeLeft(limits, above)
  return limits
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
  { call, schema }: { call: DelegationCall; schema: Record<string, unknown> | null },
): Promise<PromptPart[]> {
  const parts: PromptPart[] = []
  if (turn.config.delegation?.envelope !== false) {
    const request = await probe(() => deps.originalRequest(turn.session, call.messageID ?? null))
    if (request !== null)
      parts.push({ type: "text", synthetic: true, text: envelopeText(await envelope(deps, turn, request)) })
  }
  if (schema !== null) parts.push({ type: "text", synthetic: true, text: schemaInstruction(schema) })
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
