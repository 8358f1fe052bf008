import fc from "fast-check"
import { createIdSource } from "../ground/id/create-id.ts"
import type {
  ApiToken,
  AssistantMessage,
  Attachment,
  AuditEntry,
  ConfigTrust,
  Content,
  ExtensionSwitch,
  ExtensionUse,
  Memory,
  PermissionRequest,
  PluginAdditions,
  ReviewComment,
  ReviewDraft,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Schedule,
  ScheduleRun,
  Session,
  StandingGrant,
  Task,
  TextPart,
  Todo,
  TodoChange,
  ToolPart,
  Turn,
  UserMessage,
  Webhook,
  WebhookDelivery,
} from "../ground/schema/index.ts"
import { Share } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"

const createId = createIdSource()
const model = { providerID: "test", modelID: "model" }
const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** Creates ids in ascending order (those of sessions descend). */
export const newId = createId

export function root(fields: Partial<Session> = {}): Session {
  const id = fields.id ?? createId("session")
  return {
    id,
    projectID: createId("project"),
    parentID: null,
    rootID: id,
    depth: 0,
    directory: "/project",
    title: "Untitled",
    agent: "build",
    model: null,
    permission: [],
    status: { type: "idle" },
    cost: 0,
    tokens,
    origin: null,
    abortedAt: null,
    time: { created: 1_000, updated: 1_000, archived: null },
    ...fields,
  }
}

export function childOf(parent: Session, fields: Partial<Session> = {}): Session {
  const place = { parentID: parent.id, rootID: parent.rootID, depth: parent.depth + 1, projectID: parent.projectID }
  return root({ ...place, ...fields })
}

export function userMessage(session: Session, fields: Partial<UserMessage> = {}): UserMessage {
  const base = { id: createId("message"), sessionID: session.id, agent: "build", model }
  return { ...base, role: "user", time: { created: 1_000 }, ...fields }
}

export function assistantMessage(session: Session, fields: Partial<AssistantMessage> = {}): AssistantMessage {
  const base = { id: createId("message"), sessionID: session.id, agent: "build", model }
  const time = { created: 1_000, completed: 2_000 }
  const rest = { parentID: createId("message"), finish: "stop", error: null, cost: 0, tokens, time }
  return { ...base, role: "assistant", ...rest, ...fields }
}

export function textPart(message: { id: string; sessionID: string }, text = "text"): TextPart {
  return { id: createId("part"), sessionID: message.sessionID, messageID: message.id, type: "text", text }
}

export function toolPart(message: { id: string; sessionID: string }, state: ToolPart["state"]): ToolPart {
  const base = { id: createId("part"), sessionID: message.sessionID, messageID: message.id }
  return { ...base, type: "tool", callID: "call", tool: "bash", state }
}

export function todo(session: Session, position: number, fields: Partial<Todo> = {}): Todo {
  return {
    id: createId("todo"),
    number: position + 1,
    sessionID: session.id,
    content: `item ${position}`,
    description: "",
    status: "pending",
    priority: "medium",
    position,
    agent: null,
    dependsOn: [],
    owner: null,
    proposed: null,
    time: { created: 1_000, updated: 1_000, completed: null },
    ...fields,
  }
}

export function tenantTodo(position: number, fields: Partial<Todo> = {}): Todo {
  return { ...todo(root(), position), sessionID: null, ...fields }
}

/** The change from `before` to `after`: a creation if `before` is null, a removal if `after` is null. */
export function todoChange(before: Todo | null, after: Todo | null, fields: Partial<TodoChange> = {}): TodoChange {
  return {
    id: createId("todoChange"),
    todoID: (after ?? before)?.id ?? createId("todo"),
    sessionID: (after ?? before)?.sessionID ?? null,
    at: 1_000,
    actor: { kind: "user", name: "me" },
    messageID: null,
    partID: null,
    before,
    after,
    ...fields,
  }
}

export function task(child: Session, number: number, fields: Partial<Task> = {}): Task {
  return {
    id: createId("task"),
    number,
    rootID: child.rootID,
    parentID: child.parentID ?? child.id,
    sessionID: child.id,
    messageID: null,
    partID: null,
    callID: null,
    turnID: null,
    agent: "general",
    description: "look around",
    prompt: "Look around and say what you see.",
    model,
    mode: "blocking",
    state: "running",
    result: null,
    resultPath: null,
    outputSchema: null,
    output: null,
    error: null,
    usage: { tokens, cost: 0, toolCalls: 0 },
    limits: { tokens: null, cost: null, wallClock: null, toolCalls: null },
    deadline: null,
    todoID: null,
    worktree: null,
    delivered: "no",
    time: { created: 1_000, started: 1_000, ended: null },
    ...fields,
  }
}

const by = { person: "ann", workspace: "local" }

export function thread(session: Session, fields: Partial<ReviewThread> = {}): ReviewThread {
  return {
    id: createId("reviewThread"),
    rootID: session.rootID,
    sessionID: session.id,
    taskID: null,
    anchor: { kind: "session" },
    by,
    resolved: null,
    time: { created: 1_000 },
    ...fields,
  }
}

export function comment(of: ReviewThread, fields: Partial<ReviewComment> = {}): ReviewComment {
  return {
    id: createId("reviewComment"),
    rootID: of.rootID,
    sessionID: of.sessionID,
    threadID: of.id,
    by,
    text: "why so?",
    mentions: [],
    sent: null,
    answer: null,
    time: { created: 1_000, edited: null, deleted: null },
    ...fields,
  }
}

export function draft(session: Session, fields: Partial<ReviewDraft> = {}): ReviewDraft {
  return {
    id: createId("reviewComment"),
    rootID: session.rootID,
    sessionID: session.id,
    threadID: createId("reviewThread"),
    taskID: null,
    anchor: { kind: "session" },
    by,
    text: "not yet said",
    time: { created: 1_000, updated: 1_000 },
    ...fields,
  }
}

export function verdict(of: Task, fields: Partial<ReviewVerdict> = {}): ReviewVerdict {
  return {
    id: createId("reviewVerdict"),
    rootID: of.rootID,
    sessionID: of.sessionID,
    taskID: of.id,
    verdict: "approve",
    reason: "",
    by,
    on: { last: null, files: null },
    time: { created: 1_000, withdrawn: null },
    ...fields,
  }
}

export function viewed(of: Task, fields: Partial<ReviewViewed> = {}): ReviewViewed {
  const place = { rootID: of.rootID, sessionID: of.sessionID, taskID: of.id }
  const on = { last: null, files: null }
  return { id: createId("reviewViewed"), ...place, by, on, time: { viewed: 1_000 }, ...fields }
}

export function memory(number: number, fields: Partial<Memory> = {}): Memory {
  return {
    id: createId("memory"),
    number,
    projectID: null,
    sessionID: null,
    type: "project",
    title: `entry ${number}`,
    content: "what is known",
    source: "",
    tags: [],
    agent: null,
    invalidatedAt: null,
    time: { created: 1_000, updated: 1_000 },
    ...fields,
  }
}

export function schedule(number: number, fields: Partial<Schedule> = {}): Schedule {
  return {
    id: createId("schedule"),
    number,
    projectID: createId("project"),
    sessionID: null,
    phrase: "every hour",
    kind: "recurring",
    cron: "0 * * * *",
    interval: null,
    message: "look again",
    agent: null,
    model: null,
    status: "active",
    missed: "once",
    nextFireAt: 5_000,
    lastRunAt: null,
    runCount: 0,
    time: { created: 1_000, updated: 1_000 },
    ...fields,
  }
}

/** Stores a run of a schedule that is there. */
export async function putRun({ schedule: store }: Store, run: ScheduleRun): Promise<void> {
  await store.change(run.scheduleID, () => ({ run }))
}

export function scheduleRun(of: Schedule, fields: Partial<ScheduleRun> = {}): ScheduleRun {
  return {
    id: createId("scheduleRun"),
    scheduleID: of.id,
    status: "running",
    sessionID: null,
    turnID: null,
    dueAt: 1_000,
    startedAt: 1_000,
    completedAt: null,
    summary: "",
    error: null,
    ...fields,
  }
}

export function apiToken(tenantID: string, tokenHash: string, fields: Partial<ApiToken> = {}): ApiToken {
  const time = { created: 1_000, used: null, revoked: null }
  return { id: createId("apiToken"), tenantID, name: "ci", tokenHash, time, ...fields }
}

export function turn(session: Session, fields: Partial<Turn> = {}): Turn {
  return {
    id: createId("turn"),
    rootID: session.rootID,
    sessionID: session.id,
    status: "queued",
    input: { parts: [{ type: "text", text: "hello" }] },
    messageID: null,
    attempt: 0,
    epoch: 0,
    error: null,
    time: { created: 1_000, started: null, ended: null },
    ...fields,
  }
}

export function permissionRequest(session: Session, fields: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    id: createId("permission"),
    rootID: session.rootID,
    sessionID: session.id,
    messageID: null,
    callID: null,
    permission: "bash",
    patterns: ["ls"],
    always: ["ls *"],
    metadata: { kind: "other" },
    status: "pending",
    message: null,
    time: { created: 1_000, replied: null },
    ...fields,
  }
}

export function standingGrant(session: Session, fields: Partial<StandingGrant> = {}): StandingGrant {
  const { id: sessionID, rootID, title, agent, projectID } = session
  return {
    id: createId("grant"),
    projectID,
    permission: "bash",
    patterns: ["ls *"],
    origin: { requestID: createId("permission"), rootID, sessionID, title, agent },
    by: { person: "ann", workspace: "local" },
    time: { created: 1_000 },
    ...fields,
  }
}

export function share(session: Session, hash: string, fields: Partial<Share> = {}): Share {
  const time = { created: 1_000, revoked: null }
  const row = { id: createId("share"), rootID: session.id, secretHash: hash.repeat(64).slice(0, 64), time }
  return { ...Share.parse(row), ...fields }
}

export function attachment(session: Session, fields: Partial<Attachment> = {}): Attachment {
  return {
    id: createId("attachment"),
    rootID: session.rootID,
    sessionID: session.id,
    hash: "a".repeat(64),
    mime: "image/png",
    name: "shot.png",
    size: 70,
    width: 1,
    height: 1,
    pages: null,
    time: { created: 1_000 },
    ...fields,
  }
}

export function content(session: Session, fields: Partial<Content> = {}): Content {
  return {
    id: createId("content"),
    rootID: session.rootID,
    sessionID: session.id,
    kind: "output",
    name: "tool_prt_1.txt",
    hash: "a".repeat(64),
    size: 70,
    isStored: false,
    time: { created: 1_000 },
    ...fields,
  }
}

export function auditEntry(act: AuditEntry["act"], fields: Partial<AuditEntry> = {}): AuditEntry {
  const person = { id: "ann", name: "Ann" }
  const how = { via: "browser", credential: null, address: "192.0.2.1" } as const
  return {
    id: createId("audit"),
    at: 1_000,
    act,
    person,
    call: "session.promptAsync",
    ...how,
    targets: {},
    facts: {},
    ...fields,
  }
}

export function configTrust(directory: string, hash: string, fields: Partial<ConfigTrust> = {}): ConfigTrust {
  return { directory, hash: hash.repeat(64).slice(0, 64), time: { trusted: 1_000 }, ...fields }
}

export function extensionSwitch(name: string, fields: Partial<ExtensionSwitch> = {}): ExtensionSwitch {
  const key = name.repeat(64).slice(0, 64)
  return {
    key,
    kind: "mcp",
    name,
    projectID: null,
    state: "off",
    by: { person: "ann", workspace: "local" },
    time: { changed: 1_000 },
    ...fields,
  }
}

export function pluginAdditions(projectID: string, fields: Partial<PluginAdditions> = {}): PluginAdditions {
  return {
    ...{ projectID, digest: "loaded", tools: ["look"], time: { loaded: 1_000 } },
    agents: [{ name: "helper", value: { prompt: "Help." }, isOwn: true, by: "own.ts", file: "/home/own.ts" }],
    commands: [{ name: "greet", value: { template: "Greet $ARGUMENTS" }, isOwn: true }],
    ...fields,
  }
}

export function extensionUse(name: string, fields: Partial<ExtensionUse> = {}): ExtensionUse {
  const days = [{ day: 1, calls: 2, failures: 1, ms: 30 }]
  const failure = { at: 900, text: "no answer" }
  const key = name.repeat(64).slice(0, 64)
  return { key, kind: "plugin", name, projectID: null, days, failure, time: { used: 1_000 }, ...fields }
}

export function webhook(fields: Partial<Webhook> = {}): Webhook {
  return {
    id: createId("webhook"),
    name: "chat",
    url: "https://hooks.example.org/docket",
    events: ["task.completed", "session.idle"],
    status: "active",
    disabled: null,
    failing: null,
    since: 1_000,
    by,
    time: { created: 1_000, updated: 1_000 },
    ...fields,
  }
}

export function webhookDelivery(of: Webhook, fields: Partial<WebhookDelivery> = {}): WebhookDelivery {
  const id = createId("webhookDelivery")
  return {
    id,
    webhookID: of.id,
    event: "session.idle",
    fact: `${id} idle`,
    rootID: null,
    body: "{}",
    status: "waiting",
    attempts: [],
    begun: 0,
    answer: null,
    nextAt: 1_000,
    time: { created: 1_000, ended: null },
    ...fields,
  }
}

/**
 * Numbers from 0 up to, but not including, 1: the relative position of a row in a list. (Random doubles are mostly near
 * 0.)
 */
export const fraction: fc.Arbitrary<number> = fc.nat({ max: 999 }).map((thousandths) => thousandths / 1_000)

/** Writes the sessions to their tree and returns the first. */
export async function putSessions(store: Store, first: Session, ...others: Session[]): Promise<Session> {
  const mutations = [first, ...others].map((value) => ({ kind: "session" as const, value }))
  await store.write.commit([{ rootID: first.rootID, mutations }])
  return first
}
