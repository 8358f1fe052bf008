import { mkdir } from "node:fs/promises"
import { join, relative } from "node:path"
import type { ToolContext } from "../../acts/tool/tool.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { noTokens } from "../../ground/message/usage.ts"
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
  ToolSwitches,
  Turn,
} from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { TodoStore } from "../../ground/store/port/index.ts"
import { childTitle } from "../../records/session/session-title.ts"
import { taskTitle, typedTitle } from "../../records/session/title-from.ts"
import { findTodo } from "../../records/todo/dependencies.ts"
import { openTodosOf } from "../../records/todo/open-todos-of.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { Config } from "../../setup/config/schema.ts"
import { toolsPermission } from "../../setup/config/tool-names.ts"
import { parseModelRef } from "../../setup/provider/model-choice.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import { switchesOf } from "../loop/switches-of.ts"
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
}

/** The session that delegates, with the context of its running turn. */
export type Delegator = Pick<TurnContext, "session" | "project" | "config" | "agent" | "model"> & {
  /** Tells for which person the task works, and which tools its prompt does without. */
  turn: Pick<Turn, "by" | "cause"> & Partial<Pick<Turn, "input">>
}

/** The tool call that delegates. The ids are absent when a person delegates. */
type DelegationCall = Pick<ToolContext, "signal"> & Partial<Pick<ToolContext, "messageID" | "partID" | "callID">>

/** Starts a task: validates the request, creates the child session, stores the task and queues it. */
export type Delegate = (turn: Delegator, call: DelegationCall, request: DelegateRequest) => Promise<Task>

interface DelegateDeps extends ChildDeps {
  tasks: Tasks
  models: Pick<LoopModels, "resolve">
  worktrees: Worktrees
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

/** Used when the configuration sets no limit: levels of children below a root, and running children of one session. */
const defaults = { depth: 2, concurrency: 8 }

/** How many children of one session may run at once. */
export function concurrencyOf({ delegation }: Config): number {
  return delegation?.concurrency ?? defaults.concurrency
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
  await deps.models.resolve(model, turn.config)
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
  })
  const contextParts = await preamble(deps, turn, { call, schema: outputSchema })
  const { child, mutations, worktree, notes, discard } = await workPlace(deps, turn, request, { ...made, isUnused })
  const concurrency = concurrencyOf(turn.config)
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
  if (model !== undefined) return parseModelRef(model)
  const own = last?.agent === agent.name ? last.model : (agent.model ?? last?.model)
  return own ?? agent.model ?? turn.model
}

/** The call, the agent's configuration or the project's configuration can require a review. */
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
async function preamble(
  deps: DelegateDeps,
  turn: Delegator,
  { call, schema }: { call: DelegationCall; schema: Record<string, unknown> | null },
): Promise<PromptPart[]> {
  const parts: PromptPart[] = []
  if (turn.config.delegation?.envelope !== false) {
    const request = await textOrNull(() => deps.originalRequest(turn.session, call.messageID ?? null))
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
    memory: await textOrNull(() => deps.memoryLines(turn.session.id)),
    openTodos: await textOrNull(() => deps.openTodos(turn.session.id)),
  }
}

interface RestartDeps {
  setupOf(session: Session): Promise<{ project: Project; config: Config; agents: Agent[]; defaultModel: ModelRef }>
}

/** A task that a person restarts or resumes. */
interface PersonsTask {
  task: Task
  parent: Session
  by: Caller
}

/** Runs an ended task again, in a new child session and in the background. */
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

/** The prompt that resumes an ended child, with mutations to commit together with the new task. */
export type ResumePrompt = Pick<DelegateRequest, "prompt" | "notice" | "more"> & { by: Caller }

/** Resumes the child of an ended task with another prompt, in the background. */
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
  const { agents, ...delegator } = await personAsDelegator(deps, { parent, by })
  const agent = findAgent(agents, task.agent)
  return delegate({ session: parent, ...delegator }, neverAborted(), { ...request, agent, mode: "background" })
}

/** A person's request for work in a child of `parent`. They read the result by themselves. */
export interface AskedTask extends Pick<DelegateRequest, "description" | "prompt"> {
  parent: Session
  by: Caller
  agent: string
  model?: ModelRef | undefined
  /** A child of the parent that goes on; without it, a new one. */
  childID?: string | undefined
  /** Tools that the child does without. */
  tools?: ToolSwitches | undefined
}

/** Starts a task as a person asks for it, in the background. */
export async function startTask(deps: RestartDeps, delegate: Delegate, asked: AskedTask): Promise<Task> {
  const { parent, model, childID: taskID, description, prompt } = asked
  const { agents, ...delegator } = await personAsDelegator(deps, asked)
  return delegate({ session: parent, ...delegator }, neverAborted(), {
    agent: findAgent(agents, asked.agent),
    ...{ description, prompt, taskID, mode: "background", isCollected: true },
    ...(model && { model: `${model.providerID}/${model.modelID}` }),
  })
}

/** A person's request for a child that does nothing yet. */
export type AskedChild = Pick<AskedTask, "parent" | "by" | "tools"> & { title: string; agent?: string | undefined }

/** Creates a child without work. Its first task may be for any agent. @throws depth_limit, agent_not_found */
export async function makeChild(deps: RestartDeps & ChildDeps, asked: AskedChild): Promise<Session> {
  const { parent, by, title } = asked
  const { agents, ...delegator } = await personAsDelegator(deps, asked)
  const agent = asked.agent === undefined ? usualSubagent(agents) : findAgent(agents, asked.agent)
  const made = await childSession(
    deps,
    { session: parent, ...delegator },
    {
      ...{ agent, description: title, taskID: undefined, isUnused: false, origin: null, mayAsk: false },
      model: agent.model ?? delegator.model,
      directory: parent.directory,
    },
  )
  const child: Session = { ...made.child, title: typedTitle(title), by }
  await deps.journal.commit(parent.rootID, [{ kind: "session", value: child }])
  return child
}

async function personAsDelegator(deps: RestartDeps, { parent, by, tools }: Pick<AskedTask, "parent" | "by" | "tools">) {
  const { project, config, agents, defaultModel } = await deps.setupOf(parent)
  const turn: Delegator["turn"] = { by, ...(tools && { input: { parts: [], tools } }) }
  return { project, config, agents, agent: findAgent(agents, parent.agent), model: parent.model ?? defaultModel, turn }
}

/** The agent of a child for which nobody has chosen one. */
function usualSubagent(agents: readonly Agent[]): Agent {
  const subagents = agents.filter(({ mode, hidden, problem }) => mode !== "primary" && !hidden && problem === null)
  return subagents.find(({ name }) => name === "general") ?? subagents[0] ?? findAgent(agents, "general")
}

function neverAborted(): DelegationCall {
  return { signal: new AbortController().signal }
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
  /** Resume this child of the same parent. */
  taskID: string | undefined
  /** It was made for work that it has not got yet: it becomes the child of this agent. */
  isUnused: boolean
  /** The tool call that requests the child. A parent that runs again after a crash finds its child by it. */
  origin: Session["origin"]
  /** Where the child works: a worktree of its own or the parent's directory. */
  directory: string
  /** Whether the child may ask the user questions. Background tasks may not, since nobody may be there to answer. */
  mayAsk: boolean
}

/**
 * The child session that a task runs in: a new one (with the mutation that stores it), or one to resume.
 * @throws DocketError depth_limit; task_not_found when `taskID` names no child of this session
 */
type ChildMaker = Pick<Delegator, "session" | "config" | "turn">

async function childSession(
  deps: ChildDeps,
  turn: ChildMaker,
  request: ChildRequest,
): Promise<{ child: Session; mutations: Mutation[] }> {
  const parent = turn.session
  if (request.taskID !== undefined) {
    const child = await resumable(deps, parent, request.taskID)
    // Another agent may resume the child: the child gets the permissions of the agent that works now.
    const permission = childRules(request.agent, { mayAsk: request.mayAsk, config: turn.config })
    if (request.isUnused) {
      const tools = [...(child.tools ?? []), ...switchesOf({ ...turn, session: {} })]
      const { agent, model } = request
      const value: Session = { ...child, agent: agent.name, model, permission, ...(tools.length > 0 && { tools }) }
      return { child: value, mutations: [{ kind: "session", value }] }
    }
    const patch = { permission, tools: switchesOf(turn) }
    const mutations: Mutation[] = [{ kind: "session.patch", sessionID: child.id, patch }]
    return { child: { ...child, ...patch }, mutations }
  }
  const known = request.origin && (await deps.store.session.childByOrigin(parent.id, request.origin.callID))
  // Some providers reuse a call id in a later answer, so the message must match too.
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
  throw new DocketError(
    "task_not_found",
    `There is no task ${taskID} of this session. ${list === "" ? "It has no tasks yet; leave task_id out to start one." : `Its tasks: ${list}.`}`,
  )
}

function newChild(deps: ChildDeps, turn: ChildMaker, request: ChildRequest): Session {
  const { session: parent, config } = turn
  const now = deps.clock()
  const tools = switchesOf(turn)
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
    ...(tools.length > 0 && { tools }),
    status: { type: "idle" },
    cost: 0,
    tokens: noTokens,
    origin: request.origin,
    abortedAt: null,
    time: { created: now, updated: now, archived: null },
  }
}

/** The rules that a child session adds to those of its agent. The rules of its ancestors are checked at each call. */
export function childRules(
  agent: Agent,
  { mayAsk, config }: { mayAsk: boolean; config: Pick<Config, "primary_tools"> },
): PermissionRuleset {
  const denied = parentTools.filter((tool) => !agent.permission.some((rule) => rule.permission === tool))
  const primaryOnly = toolsPermission(Object.fromEntries((config.primary_tools ?? []).map((tool) => [tool, false])))
  return [...denied, ...Object.keys(primaryOnly), ...(mayAsk ? [] : ["question"])].map((permission) => ({
    permission,
    pattern: "*",
    action: "deny",
  }))
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
  if (!isolated || mutations.length === 0) return plain
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

/** Characters of the user's request that are quoted to a child. */
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

/** The delegation context at the start of a child's prompt: the original request, memory and open todos. */
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

/** Reads an optional field of the envelope. An error or an empty text gives null. */
export async function textOrNull(read: () => Promise<string | null>): Promise<string | null> {
  try {
    return (await read()) || null
  } catch {
    return null
  }
}

/** Messages per page of the search for an earlier prompt. */
const pageSize = 20

interface OriginalRequestDeps {
  store: Pick<Store, "transcript" | "task">
  sessionByID(id: string): Promise<Session>
}

/**
 * The user's request that a session works on now. Through all sessions above it leads to the last prompt to the root
 * before the call that delegated; prompts after that call do not count.
 * @param messageID the message that delegates; null when a person delegates, then the newest prompt counts
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

/** The text that a person typed in a message or handed to subagents, without what Docket wrote. */
function spokenText({ info, parts }: MessageWithParts): string {
  if (info.role !== "user") return ""
  const typed = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  // The expansion of a command is in its task's prompt; the person typed only the command's name.
  const handed = parts.flatMap((part) => (part.type === "subtask" && part.command === undefined ? [part.prompt] : []))
  return [...typed, ...handed].join("\n").trim()
}
