import { mkdir } from "node:fs/promises"
import { join, relative } from "node:path"
import type { ToolContext } from "../../acts/tool/tool.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { noTokens } from "../../ground/message/token-usage.ts"
import type {
  Agent,
  Caller,
  MessageWithParts,
  ModelRef,
  Notice,
  PermissionRuleset,
  Project,
  PromptPart,
  Session,
  Task,
  TaskLimits,
  Turn,
} from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { TodoStore } from "../../ground/store/port/index.ts"
import { childTitle } from "../../records/session/session-title.ts"
import { taskTitle } from "../../records/session/title-from.ts"
import { findTodo } from "../../records/todo/dependencies.ts"
import { openTodosOf } from "../../records/todo/open-todos-of.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { Config } from "../../setup/config/schema.ts"
import { toolsPermission } from "../../setup/config/tools-permission.ts"
import { parseModelRef } from "../../setup/provider/model-ref.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { causeOf } from "../turn/turn-queue.ts"
import type { NewTask } from "./live-tasks.ts"
import { assertSchema, schemaInstruction } from "./task-answers.ts"
import type { Tasks } from "./tasks.ts"
import { configuredLimits, noLimits, remaining, strictest } from "./tree-budgets.ts"
import type { Worktrees } from "./worktrees.ts"

export interface DelegateRequest {
  agent: Agent
  description: string
  prompt: string
  /** The command of a prompt that it comes of. */
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
  /** Its end waits for a person's approval. */
  review?: "required" | undefined
  /** What Docket says in the prompt, as data. */
  notice?: Notice | undefined
  /** What is stored together with the task. */
  more?: Mutation[] | undefined
}

/** The session that delegates, as its turn has it. */
export type Delegator = Pick<TurnContext, "session" | "project" | "config" | "agent" | "model"> & {
  /** Of whom it says for whom the task works. */
  turn: Pick<Turn, "by" | "cause">
}

/** The tool call that delegates; without ids when a person does. */
type DelegationCall = Pick<ToolContext, "signal"> & Partial<Pick<ToolContext, "messageID" | "partID" | "callID">>

/** Starts a task: checks what can be checked now, makes the child, stores and queues it. */
export type Delegate = (turn: Delegator, call: DelegationCall, request: DelegateRequest) => Promise<Task>

interface DelegateDeps extends ChildDeps {
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

/** Levels of children below a root, and children of one session that run at once, unless the configuration says otherwise. */
const defaults = { depth: 2, concurrency: 8 }

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

interface RestartDeps {
  setupOf(session: Session): Promise<{ project: Project; config: Config; agents: Agent[]; defaultModel: ModelRef }>
}

/** A task that a person sets to work. */
interface PersonsTask {
  task: Task
  parent: Session
  by: Caller
}

/** Starts the work of an ended task again, in a new child and in the background. */
export function restartTask(deps: RestartDeps, delegate: Delegate, { task, parent, by }: PersonsTask): Promise<Task> {
  return delegateForPerson(
    deps,
    delegate,
    { task, parent, by },
    {
      description: task.description,
      prompt: task.prompt,
      command: task.command,
      model: `${task.model.providerID}/${task.model.modelID}`,
      ...(task.outputSchema !== null && { outputSchema: task.outputSchema }),
      ...(task.limits.wallClock !== null && { timeout: task.limits.wallClock }),
    },
  )
}

/** What an ended child is told so that it goes on, and what is stored together with the task. */
export type ResumePrompt = Pick<DelegateRequest, "prompt" | "notice" | "more"> & { by: Caller }

/** Goes on in the child of an ended task with another prompt, in the background. */
export function resumeTask(
  deps: RestartDeps,
  delegate: Delegate,
  { task, parent, by, ...prompt }: PersonsTask & ResumePrompt,
): Promise<Task> {
  const { description, sessionID: taskID } = task
  return delegateForPerson(deps, delegate, { task, parent, by }, { description, taskID, ...prompt })
}

/** Delegates for a person as the parent's agent would: to the agent of an earlier task, in the background. */
async function delegateForPerson(
  deps: RestartDeps,
  delegate: Delegate,
  { task, parent, by }: PersonsTask,
  request: Omit<DelegateRequest, "agent" | "mode">,
): Promise<Task> {
  const { project, config, agents, defaultModel } = await deps.setupOf(parent)
  const agent = findAgent(agents, parent.agent)
  const delegator = { session: parent, project, config, agent, model: parent.model ?? defaultModel, turn: { by } }
  const never = new AbortController().signal
  return delegate(
    delegator,
    { signal: never },
    { ...request, agent: findAgent(agents, task.agent), mode: "background" },
  )
}

/** Tools that a child has only when its agent's own rules name them. */
const parentTools = [
  ...todoTools,
  "task",
  "async_task",
  "async_task_result",
  "async_task_gather",
  "async_task_cancel",
  "task_message",
]

interface ChildDeps {
  store: Store
  journal: Journal
  createID: CreateId
  clock: () => number
}

interface ChildRequest {
  agent: Agent
  description: string
  model: ModelRef
  /** Resumes this child of the same parent. */
  taskID: string | undefined
  /** The call that asks for it: a parent that runs again after a crash finds its child by it. */
  origin: Session["origin"]
  /** A worktree of its own, or the parent's directory. */
  directory: string
  /** Async children cannot ask: nobody may be there. */
  mayAsk: boolean
}

/**
 * The child session that a task runs in: a new one (with the mutation that stores it), or one to resume.
 * @throws DocketError depth_limit; Error when `taskID` names no child of this session
 */
async function childSession(
  deps: ChildDeps,
  turn: Pick<TurnContext, "session" | "config">,
  request: ChildRequest,
): Promise<{ child: Session; mutations: Mutation[] }> {
  const parent = turn.session
  if (request.taskID !== undefined) {
    const child = await resumable(deps, parent, request.taskID)
    // Another agent may go on with it: the child has the rights of the one that works now.
    const permission = childRules(request.agent, { mayAsk: request.mayAsk, config: turn.config })
    const mutations: Mutation[] = [{ kind: "session.patch", sessionID: child.id, patch: { permission } }]
    return { child: { ...child, permission }, mutations }
  }
  const known = request.origin && (await deps.store.session.childByOrigin(parent.id, request.origin.callID))
  // Some providers use a call id again in a later answer.
  if (known && known.origin?.messageID === request.origin?.messageID) return { child: known, mutations: [] }
  const limit = turn.config.delegation?.depth ?? defaults.depth
  if (parent.depth >= limit) {
    throw new DocketError(
      "depth_limit",
      `Subagents may be nested ${limit} deep and this session is at depth ${parent.depth}. Do the work yourself.`,
    )
  }
  const child = newChild(deps, turn, request)
  return { child, mutations: [{ kind: "session", value: child }] }
}

async function resumable(deps: ChildDeps, parent: Session, taskID: string): Promise<Session> {
  const found = await deps.store.session.get(taskID)
  if (found !== null && found.parentID === parent.id) return found
  const children = await deps.store.session.children(parent.id)
  const list = children.map((child) => `${child.id} (${child.title})`).join(", ")
  throw new Error(
    `There is no task ${taskID} of this session. ${list === "" ? "It has no tasks yet; leave task_id out to start one." : `Its tasks: ${list}.`}`,
  )
}

function newChild(
  deps: ChildDeps,
  { session: parent, config }: Pick<TurnContext, "session" | "config">,
  request: ChildRequest,
): Session {
  const now = deps.clock()
  return {
    id: deps.createID("session"),
    projectID: parent.projectID,
    parentID: parent.id,
    rootID: parent.rootID,
    depth: parent.depth + 1,
    directory: request.directory,
    title: childTitle(request.description, request.agent.name),
    agent: request.agent.name,
    model: request.model,
    permission: childRules(request.agent, { mayAsk: request.mayAsk, config }),
    status: { type: "idle" },
    cost: 0,
    tokens: noTokens,
    origin: request.origin,
    abortedAt: null,
    time: { created: now, updated: now, archived: null },
  }
}

/** What a child session adds to its agent's rules. What its ancestors lack is checked at each call. */
export function childRules(
  agent: Agent,
  { mayAsk, config }: { mayAsk: boolean; config: Pick<Config, "primary_tools"> },
): PermissionRuleset {
  const denied = parentTools.filter((tool) => !agent.permission.some((rule) => rule.permission === tool))
  const ofLeads = toolsPermission(Object.fromEntries((config.primary_tools ?? []).map((tool) => [tool, false])))
  return [...denied, ...Object.keys(ofLeads), ...(mayAsk ? [] : ["question"])].map((permission) => ({
    permission,
    pattern: "*",
    action: "deny",
  }))
}

/** Files that a child is told of by name. */
const maxNamed = 20

/** Where a task works, and what has to be stored for that. */
interface WorkPlace {
  child: Session
  mutations: Mutation[]
  worktree: Task["worktree"]
  /** What the child is told of the place. */
  told: PromptPart[]
  /** Takes back what was made: the task does not start. */
  discard(): Promise<void>
}

/**
 * The directory of the parent, a git worktree of the task's own, or the worktree in which a resumed child has worked
 * before: that one's branch then belongs to the new task.
 * @throws worktree_failed
 */
async function workPlace(
  deps: { store: Pick<Store, "task">; worktrees: Worktrees },
  turn: Pick<Delegator, "project" | "session" | "config">,
  request: DelegateRequest,
  made: { child: Session; mutations: Mutation[] },
): Promise<WorkPlace> {
  const plain = { ...made, worktree: null, told: [], discard: async () => {} }
  if (request.taskID !== undefined) return takeOver(deps, plain)
  const isolated = turn.config.agent?.[request.agent.name]?.isolation === "worktree"
  if (!isolated || made.mutations.length === 0) return plain
  const { project, session } = turn
  const left = await deps.worktrees.uncommitted(project)
  const worktree = await deps.worktrees.create(project, request.description)
  const directory = join(worktree.directory, relative(project.worktree, session.directory))
  await mkdir(directory, { recursive: true })
  const child = { ...made.child, directory }
  const names =
    left.slice(0, maxNamed).map(plainName).join(", ") +
    (left.length > maxNamed ? ` and ${left.length - maxNamed} more` : "")
  const text = `You work in a git worktree of the last commit. The project has changes that are not committed and that you do not see: ${names}.`
  const told: PromptPart = {
    type: "text",
    text: `<system-reminder>${text}</system-reminder>`,
    synthetic: true,
    notice: { kind: "remark", text },
  }
  return {
    child,
    mutations: [{ kind: "session", value: child }],
    worktree,
    told: left.length === 0 ? [] : [told],
    discard: () => deps.worktrees.discard(project, worktree),
  }
}

async function takeOver({ store }: { store: Pick<Store, "task"> }, plain: WorkPlace): Promise<WorkPlace> {
  const before = await store.task.byChild(plain.child.id)
  if (!before?.worktree) return plain
  const { state } = before.worktree
  if (state === "merged" || state === "removed") {
    throw new Error(`The worktree of this task is gone (${state}). Leave task_id out to start a new one.`)
  }
  const handedOver: Mutation = { kind: "task", value: { ...before, worktree: null } }
  const worktree = { ...before.worktree, state: "active" as const, conflicts: [] }
  return { ...plain, mutations: [...plain.mutations, handedOver], worktree }
}

/** A file's name as it may stand in a line of Docket's own: it may hold line breaks and anything else. */
function plainName(name: string): string {
  return quoteFrames(/\p{Cc}/u.test(name) ? JSON.stringify(name) : name)
}

/**
 * The id of the todo that a task is to serve, named by id or number: an item of the session's own list, or one that
 * is tenant-wide.
 * @throws Error that lists the open ones when there is none
 */
async function servedTodo(store: TodoStore, sessionID: string, ref: string): Promise<string> {
  const found = await findTodo(store, ref.trim())
  if (found !== null && (found.sessionID === null || found.sessionID === sessionID)) return found.id
  const open = await openTodosOf(store, sessionID)
  throw new Error(
    `There is no todo ${ref} that this session sees. ${open === null ? "It sees no open todos." : `Name one by its number. It sees ${open}`}`,
  )
}

/** Characters of the root's request that a child is told. */
const requestLength = 200

interface Envelope {
  originalRequest: string
  delegatedBy: string
  depth: number
  maxDepth: number
  /** Lines of memory entries, or null. */
  memory: string | null
  /** The open todos in the form of `/todo list`, or null. */
  openTodos: string | null
}

/** The block that a child's prompt starts with: where its task comes from and what is open around it. */
export function envelopeText(envelope: Envelope): string {
  const request = envelope.originalRequest.replace(/\s+/g, " ").trim()
  const lines = [
    "[DELEGATION CONTEXT]",
    `Original request: ${request.length > requestLength ? `${request.slice(0, requestLength)}…` : request}`,
    `Delegated by: ${envelope.delegatedBy}`,
    `Pipeline depth: ${envelope.depth}/${envelope.maxDepth}`,
  ]
  if (envelope.memory !== null) {
    lines.push("Pipeline memory (entries written by prior agents this conversation):", envelope.memory)
  }
  if (envelope.openTodos !== null) {
    lines.push("Open todos (mark progress as you go — /todo start <id>, /todo done <id>):", envelope.openTodos)
  }
  return [...lines, "[END DELEGATION CONTEXT]"].join("\n")
}

/** What the probes of an envelope give. Each may fail or find nothing without harm. */
export async function probe(read: () => Promise<string | null>): Promise<string | null> {
  try {
    return (await read()) || null
  } catch {
    return null
  }
}

/** Messages that are read at once on the way back. */
const pageSize = 20

interface OriginalRequestDeps {
  store: Pick<Store, "transcript" | "task">
  sessionByID(id: string): Promise<Session>
}

/**
 * What the user asked of the root for which a session works now: the prompt before the call that delegates, through
 * all sessions above. A later prompt to the root is another matter than the tasks that still run for this one.
 *
 * @param messageID the answer that delegates; null when a person does, for whom the newest prompt counts
 */
export async function originalRequest(
  deps: OriginalRequestDeps,
  session: Session,
  messageID: string | null,
): Promise<string> {
  if (session.parentID === null) return (await promptBefore(deps, session.id, messageID)) ?? session.title
  const task = await deps.store.task.byChild(session.id)
  return originalRequest(deps, await deps.sessionByID(session.parentID), task?.messageID ?? null)
}

async function promptBefore(
  { store }: OriginalRequestDeps,
  sessionID: string,
  messageID: string | null,
): Promise<string | null> {
  let before = messageID
  do {
    const page = await store.transcript.page({ sessionID, limit: pageSize, ...(before !== null && { before }) })
    const prompt = page.items
      .toReversed()
      .map(spokenText)
      .find((text) => text !== "")
    if (prompt !== undefined) return prompt
    before = page.before
  } while (before !== null)
  return null
}

/** What a person said in a message, or handed to subagents; nothing of what Docket wrote. */
function spokenText({ info, parts }: MessageWithParts): string {
  if (info.role !== "user") return ""
  const typed = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  // What a command came to is in the brief of its task; the person typed its name.
  const handed = parts.flatMap((part) => (part.type === "subtask" && part.command === undefined ? [part.prompt] : []))
  return [...typed, ...handed].join("\n").trim()
}
