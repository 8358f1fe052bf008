import { mkdir } from "node:fs/promises"
import { join, relative } from "node:path"
import type { ToolContext } from "../../acts/tool/tool.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { Agent, ModelRef, Notice, PromptPart, Session, Task, TaskLimits } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { TodoStore } from "../../ground/store/port/index.ts"
import { taskTitle } from "../../records/session/title-from.ts"
import { findTodo } from "../../records/todo/dependencies.ts"
import { openTodosOf } from "../../records/todo/open-todos-of.ts"
import type { Config } from "../../setup/config/schema.ts"
import { parseModelRef } from "../../setup/provider/model-choice.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import { assertSchema } from "../loop/output-schema.ts"
import type { ProgramSubagent } from "../program/agent-programs.ts"
import type { ProgramGuests } from "../program/program-guests.ts"
import { causeOf } from "../turn/turn-queue.ts"
import { type ChildDeps, childSession, depthOf } from "./child-session.ts"
import { type Envelope, envelopeText, textOrNull } from "./delegation-context.ts"
import type { Delegator } from "./delegator.ts"
import type { NewTask } from "./live-tasks.ts"
import type { Tasks } from "./tasks.ts"
import { configuredLimits, noLimits, remaining, strictest } from "./tree-budgets.ts"
import type { Worktrees } from "./worktrees.ts"

export interface DelegateRequest {
  agent: Agent
  description: string
  prompt: string
  /** The command that the prompt came from. */
  command?: string | undefined
  mode: Task["mode"]
  taskID?: string | undefined
  /** `provider/model` */
  model?: string | undefined
  /** ms */
  timeout?: number | undefined
  outputSchema?: Record<string, unknown> | undefined
  /** Id or number of the todo that it serves. */
  todo?: string | undefined
  /** The task ends only once a person has approved its result. */
  review?: "required" | undefined
  /** The content of the prompt as data, when Docket wrote it. */
  notice?: Notice | undefined
  /** Mutations to commit together with the task. */
  more?: Mutation[] | undefined
  /** Whoever asks reads the result by themselves: the parent is not told of the end. */
  isCollected?: true | undefined
  /** The subagent of a program, which works already. */
  guest?: ProgramSubagent | undefined
}

/** The tool call that delegates. The ids are absent when a person delegates. */
export type DelegationCall = Pick<ToolContext, "signal"> & Partial<Pick<ToolContext, "messageID" | "partID" | "callID">>

/** Starts a task: validates the request, creates the child session, stores the task and queues it. */
export type Delegate = (turn: Delegator, call: DelegationCall, request: DelegateRequest) => Promise<Task>

interface DelegateDeps extends ChildDeps {
  tasks: Tasks
  models: Pick<LoopModels, "resolve">
  worktrees: Worktrees
  guests: ProgramGuests
  /** The open todos of a session in the form of `/todo list`, or null. */
  openTodos(sessionID: string): Promise<string | null>
  /** Memory lines for a child of the session, or null. */
  memoryLines(sessionID: string): Promise<string | null>
  /** The user's request that the root session works on; `messageID` is the assistant message that delegates. */
  originalRequest(session: Session, messageID: string | null): Promise<string | null>
}

export function createDelegate(deps: DelegateDeps): Delegate {
  return async (turn, call, request) => {
    // Parallel calls prepare their tasks at the same time; only `launch` runs them in order.
    const preparing = prepare(deps, turn, call, request)
    // `launch` reports the rejection. This handler only prevents an unhandled rejection until then.
    preparing.catch(() => {})
    try {
      return await deps.tasks.launch(turn.session.rootID, async () => {
        const { task } = await preparing
        // Checked last: a call that was stopped during the preparation must not start its task.
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

/** Running children of one session where the configuration sets no limit. */
const defaultConcurrency = 8

/** How many children of one session may run at once. */
export function concurrencyOf({ delegation }: Config): number {
  return delegation?.concurrency ?? defaultConcurrency
}

/** Validates the request and creates the child session and its directory. `discard` removes them again. */
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
  // An unknown model or a missing API key fails this call instead of a task that could not work.
  if (agent.program === undefined) await deps.models.resolve(model, turn.config)
  if (outputSchema !== null) await assertSchema(outputSchema)
  const todoID = request.todo === undefined ? null : await servedTodo(deps.store.todo, turn.session.id, request.todo)
  call.signal.throwIfAborted()
  const limits = taskLimits(deps, turn, request)
  const isUnused = resumed?.last === null
  const made = await childSession(deps, turn, {
    agent,
    description,
    model,
    taskID: resumed?.id,
    isUnused,
    origin: ids && { messageID: ids.messageID, callID: ids.callID },
    directory: turn.session.directory,
    mayAsk: mode === "blocking",
    isGuest: request.guest !== undefined,
  })
  const contextParts = request.guest === undefined ? await preamble(deps, turn, call) : []
  const { child, mutations, worktree, notes, discard } = await workPlace(deps, turn, request, { ...made, isUnused })
  if (request.guest !== undefined) deps.guests.put(child.id, request.guest)
  // What works already waits for no other.
  const concurrency = request.guest === undefined ? concurrencyOf(turn.config) : Number.POSITIVE_INFINITY
  const place = {
    parent: turn.session,
    child,
    mutations: [...mutations, ...more],
    worktree,
    preamble: [...notes, ...contextParts],
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
    isCollected: request.isCollected === true,
  }
  return { task: { ...place, ...task }, discard }
}

/**
 * The child that the caller names by session id, task id or number, with its newest task. An unknown name is returned
 * as it is.
 */
async function resumedChild(
  deps: DelegateDeps,
  parent: Session,
  ref: string,
): Promise<{ id: string; last: Task | null }> {
  const id = (await deps.tasks.find(parent, ref))?.sessionID ?? ref
  return { id, last: await deps.tasks.find(parent, id) }
}

/**
 * The model of a task: the requested one; else the one that this agent used last in the resumed child; else the agent's
 * own; else the last one of the child; else the caller's.
 */
function taskModel(turn: Delegator, { agent, model }: DelegateRequest, last: Task | null): ModelRef {
  if (agent.program !== undefined && agent.model !== null) return agent.model
  if (model !== undefined) return parseModelRef(model)
  const own = last?.agent === agent.name ? last.model : (agent.model ?? last?.model)
  return own ?? agent.model ?? turn.model
}

/** The call, the agent's configuration or the project's configuration can require a review. */
function reviewOf({ config }: Delegator, { agent, review, guest }: DelegateRequest): Task["review"] {
  // Its work is part of what the task above answers for.
  if (guest !== undefined) return undefined
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

/** Fails early when the parent task has used up one of its limits: nothing would be left for a child task. */
function assertSomeLeft(limits: TaskLimits, above: Task): void {
  if (!Object.values(limits).includes(0)) return
  throw new DocketError(
    "invalid_input",
    `Task #${above.number} has used up a limit (tokens, cost, time or tool calls), so it can start no task. Do without.`,
  )
}

function callIDs({ messageID, partID, callID }: DelegationCall) {
  return messageID === undefined || partID === undefined || callID === undefined ? null : { messageID, partID, callID }
}

/** The parts that come before a child's prompt. */
async function preamble(deps: DelegateDeps, turn: Delegator, call: DelegationCall): Promise<PromptPart[]> {
  if (turn.config.delegation?.envelope === false) return []
  const request = await textOrNull(() => deps.originalRequest(turn.session, call.messageID ?? null))
  if (request === null) return []
  return [{ type: "text", synthetic: true, text: envelopeText(await envelope(deps, turn, request)) }]
}

async function envelope(deps: DelegateDeps, turn: Delegator, originalRequest: string): Promise<Envelope> {
  return {
    originalRequest,
    delegatedBy: turn.agent.name,
    depth: turn.session.depth + 1,
    maxDepth: depthOf(turn.config),
    memory: await textOrNull(() => deps.memoryLines(turn.session.id)),
    openTodos: await textOrNull(() => deps.openTodos(turn.session.id)),
  }
}

/** At most this many files are listed to a child by name. */
const maxNamed = 20

/** The directory of a task, with the mutations that store it. */
interface WorkPlace {
  child: Session
  mutations: Mutation[]
  worktree: Task["worktree"]
  /** Prompt parts that tell the child about its directory. */
  notes: PromptPart[]
  /** Removes what was created, when the task does not start. */
  discard(): Promise<void>
}

/**
 * The directory of a task: the parent's, a new git worktree, or the worktree of a resumed child, whose branch then
 * belongs to the new task.
 * @throws worktree_failed
 */
async function workPlace(
  deps: { store: Pick<Store, "task">; worktrees: Worktrees },
  turn: Pick<Delegator, "project" | "session" | "config">,
  request: DelegateRequest,
  made: { child: Session; mutations: Mutation[]; isUnused: boolean },
): Promise<WorkPlace> {
  const { child, mutations } = made
  const plain = { child, mutations, worktree: null, notes: [], discard: async () => {} }
  if (request.taskID !== undefined && !made.isUnused) return takeOver(deps, plain)
  const isolated = turn.config.agent?.[request.agent.name]?.isolation === "worktree"
  if (!isolated || mutations.length === 0 || request.guest !== undefined) return plain
  const { project, session } = turn
  // The new worktree does not contain these files.
  const unseen = await deps.worktrees.uncommitted(project)
  const worktree = await deps.worktrees.create(project, request.description)
  const directory = join(worktree.directory, relative(project.worktree, session.directory))
  await mkdir(directory, { recursive: true })
  const placed = { ...child, directory }
  const names =
    unseen.slice(0, maxNamed).map(plainName).join(", ") +
    (unseen.length > maxNamed ? ` and ${unseen.length - maxNamed} more` : "")
  const text = `You work in a git worktree of the last commit. The project has changes that are not committed and that you do not see: ${names}.`
  const note: PromptPart = {
    type: "text",
    text: `<system-reminder>${text}</system-reminder>`,
    synthetic: true,
    notice: { kind: "remark", text },
  }
  return {
    child: placed,
    mutations: [{ kind: "session", value: placed }],
    worktree,
    notes: unseen.length === 0 ? [] : [note],
    discard: () => deps.worktrees.discard(project, worktree),
  }
}

/** The place of a resumed child: a worktree passes from the child's last task to the new one. `plain` has none. */
async function takeOver({ store }: { store: Pick<Store, "task"> }, plain: WorkPlace): Promise<WorkPlace> {
  const last = await store.task.byChild(plain.child.id)
  if (!last?.worktree) return plain
  const { state } = last.worktree
  if (state === "merged" || state === "removed") {
    throw new DocketError(
      "invalid_input",
      `The worktree of this task is gone (${state}). Leave task_id out to start a new one.`,
    )
  }
  const handedOver: Mutation = { kind: "task", value: { ...last, worktree: null } }
  const worktree = { ...last.worktree, state: "active" as const, conflicts: [] }
  return { ...plain, mutations: [...plain.mutations, handedOver], worktree }
}

/** A file name made safe for a text of Docket: it may contain line breaks and control characters. */
function plainName(name: string): string {
  return quoteFrames(/\p{Cc}/u.test(name) ? JSON.stringify(name) : name)
}

/**
 * The id of the todo that a task serves. `ref` is an id or number of a todo of this session or of the tenant.
 * @throws todo_not_found, with the open todos
 */
async function servedTodo(store: TodoStore, sessionID: string, ref: string): Promise<string> {
  const found = await findTodo(store, ref.trim())
  if (found !== null && (found.sessionID === null || found.sessionID === sessionID)) return found.id
  const open = await openTodosOf(store, sessionID)
  throw new DocketError(
    "todo_not_found",
    `There is no todo ${ref} that this session sees. ${open === null ? "It sees no open todos." : `Name one by its number. It sees ${open}`}`,
  )
}
