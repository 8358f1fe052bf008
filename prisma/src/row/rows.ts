import type {
  ApiToken,
  AuditEntry,
  ConfigTrust,
  Memory,
  Message,
  ModelRef,
  Part,
  PermissionRequest,
  Project,
  ReviewComment,
  ReviewDraft,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Schedule,
  ScheduleRun,
  Session,
  Share,
  StandingGrant,
  Task,
  Todo,
  TodoChange,
  Turn,
  Webhook,
  WebhookDelivery,
  Workspace,
} from "@docket/core/schema"
import {
  asksOf,
  auditText,
  isCompactionSummary,
  isUntold,
  onlyReader,
  type PermissionGrant,
  todoRank,
  totalTokens,
} from "@docket/core/store"
import type * as Row from "../generated/sqlite/client/client.ts"
import type { Rows } from "../sql/tables.ts"
import { encode, shapes } from "./row-shapes.ts"

/** Where a row belongs: its tenant, its tree and its place in the tree's sequence. */
export interface Place {
  tenantID: string
  rootID: string
  seq: number
}

export function sessionRow(place: Place, value: Session, createdSeq: number): Rows["Session"] {
  return {
    ...place,
    id: value.id,
    parentID: value.parentID,
    projectID: value.projectID,
    depth: value.depth,
    title: columnText(value.title),
    directory: columnText(value.directory),
    agent: columnText(value.agent),
    model: value.model && modelText(value.model),
    status: value.status.type,
    originCallID: value.origin && columnText(value.origin.callID),
    cost: value.cost,
    tokens: totalTokens(value.tokens),
    created: value.time.created,
    updated: value.time.updated,
    archived: value.time.archived !== null,
    createdSeq,
    onlyFor: onlyReader(value),
    data: encode(shapes.Session, value),
  }
}

export function messageRow(place: Place, value: Message): Rows["Message"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    role: value.role,
    agent: columnText(value.agent),
    model: modelText(value.model),
    cost: value.role === "assistant" ? value.cost : 0,
    created: value.time.created,
    summary: isCompactionSummary(value),
    open: value.role === "assistant" && value.time.completed === null,
    data: encode(shapes.Message, value),
  }
}

export function partRow(place: Place, value: Part): Rows["Part"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    messageID: value.messageID,
    type: value.type,
    tool: value.type === "tool" ? columnText(value.tool) : null,
    toolStatus: value.type === "tool" ? value.state.status : null,
    data: encode(shapes.Part, value),
  }
}

/** `of` is the session whose list has the item, null for a tenant-wide one. */
export function todoRow(tenantID: string, of: { rootID: string; sessionID: string } | null, value: Todo): Rows["Todo"] {
  return {
    tenantID,
    rootID: of?.rootID ?? null,
    id: value.id,
    number: value.number,
    content: beginning(value.content),
    sessionID: of?.sessionID ?? null,
    status: value.status,
    priority: value.priority,
    rank: todoRank(value.status),
    position: value.position,
    agent: value.agent && columnText(value.agent),
    updated: value.time.updated,
    data: encode(shapes.Todo, value),
  }
}

export function todoChangeRow(tenantID: string, value: TodoChange): Rows["TodoChange"] {
  const { id, todoID, sessionID, at, actor } = value
  const row = { tenantID, id, todoID, sessionID, at, actor: columnText(actor.name) }
  return { ...row, data: encode(shapes.TodoChange, value) }
}

export function taskRow(place: Place, value: Task): Rows["Task"] {
  return {
    ...place,
    id: value.id,
    parentID: value.parentID,
    sessionID: value.sessionID,
    number: value.number,
    state: isUntold(value) ? "untold" : value.state,
    agent: columnText(value.agent),
    description: beginning(value.description),
    worktree: value.worktree?.state ?? null,
    created: value.time.created,
    ended: value.time.ended,
    data: encode(shapes.Task, value),
  }
}

export function threadRow(place: Place, value: ReviewThread): Rows["ReviewThread"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    taskID: value.taskID,
    anchor: value.anchor.kind,
    person: columnText(value.by.person),
    resolved: value.resolved !== null,
    created: value.time.created,
    data: encode(shapes.ReviewThread, value),
  }
}

export function commentRow(place: Place, value: ReviewComment): Rows["ReviewComment"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    threadID: value.threadID,
    person: columnText(value.by.person),
    asks: asksOf(value),
    created: value.time.created,
    data: encode(shapes.ReviewComment, value),
  }
}

export function verdictRow(place: Place, value: ReviewVerdict): Rows["ReviewVerdict"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    taskID: value.taskID,
    person: columnText(value.by.person),
    verdict: value.verdict,
    withdrawn: value.time.withdrawn !== null,
    created: value.time.created,
    data: encode(shapes.ReviewVerdict, value),
  }
}

export function viewedRow(place: Place, value: ReviewViewed): Rows["ReviewViewed"] {
  const { id, sessionID, taskID, by, time } = value
  const row = { ...place, id, sessionID, taskID, person: columnText(by.person), viewed: time.viewed }
  return { ...row, data: encode(shapes.ReviewViewed, value) }
}

export function draftRow(tenantID: string, value: ReviewDraft): Row.ReviewDraft {
  const { id, rootID, sessionID, by, time } = value
  const row = { tenantID, id, rootID, sessionID, person: columnText(by.person), updated: time.updated }
  return { ...row, data: encode(shapes.ReviewDraft, value) }
}

export function turnRow(place: Place, value: Turn): Rows["Turn"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    status: value.status,
    epoch: value.epoch,
    attempt: value.attempt,
    created: value.time.created,
    ended: value.time.ended,
    data: encode(shapes.Turn, value),
  }
}

export function permissionRow(place: Place, value: PermissionRequest): Rows["PermissionRequest"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    status: value.status,
    permission: columnText(value.permission),
    created: value.time.created,
    replied: value.time.replied,
    data: encode(shapes.PermissionRequest, value),
  }
}

export function grantRow(tenantID: string, value: PermissionGrant): Row.PermissionGrant {
  return {
    tenantID,
    id: value.id,
    rootID: value.rootID,
    permission: columnText(value.permission),
    pattern: columnText(value.pattern),
    createdAt: value.createdAt,
    data: encode(shapes.PermissionGrant, value),
  }
}

export function webhookRow(tenantID: string, value: Webhook): Row.Webhook {
  const { id, url, status, time } = value
  return { tenantID, id, url: columnText(url), status, created: time.created, data: encode(shapes.Webhook, value) }
}

export function webhookDeliveryRow(tenantID: string, value: WebhookDelivery): Row.WebhookDelivery {
  const { id, webhookID, fact, event, rootID, status, nextAt, time } = value
  const row = { tenantID, id, webhookID, fact, event, rootID, status, nextAt, created: time.created }
  return { ...row, data: encode(shapes.WebhookDelivery, value) }
}

export function workspaceRow(value: Workspace): Row.Workspace {
  const { created, updated } = value.time
  return { tenantID: value.id, created, updated, data: encode(shapes.Workspace, value) }
}

export function standingGrantRow(tenantID: string, value: StandingGrant): Row.StandingGrant {
  const { id, projectID, permission, time } = value
  const row = { tenantID, id, projectID, permission: columnText(permission), created: time.created }
  return { ...row, data: encode(shapes.StandingGrant, value) }
}

export function projectRow(tenantID: string, value: Project): Row.Project {
  const { id, directory, name, time } = value
  const row = { tenantID, id, directory: columnText(directory), name: columnText(name), opened: time.opened }
  return { ...row, data: encode(shapes.Project, value) }
}

export function shareRow(tenantID: string, value: Share): Row.Share {
  const { id, rootID, secretHash, time } = value
  const row = { tenantID, id, rootID, secretHash, created: time.created, revoked: time.revoked }
  return { ...row, data: encode(shapes.Share, value) }
}

export function trustRow(tenantID: string, value: ConfigTrust): Row.ConfigTrust {
  const { hash, directory, time } = value
  return {
    tenantID,
    hash,
    directory: columnText(directory),
    trusted: time.trusted,
    data: encode(shapes.ConfigTrust, value),
  }
}

export function memoryRow(tenantID: string, value: Memory): Row.Memory {
  const { id, number, projectID, sessionID, type, title, invalidatedAt, time } = value
  return {
    tenantID,
    id,
    number,
    projectID,
    sessionID,
    type,
    title: columnText(title),
    invalidated: invalidatedAt !== null,
    created: time.created,
    data: encode(shapes.Memory, value),
  }
}

/** A tag as its column holds it. */
export function tagText(tag: string): string {
  return encodeURIComponent(tag.toWellFormed())
}

export function scheduleRow(tenantID: string, value: Schedule): Row.Schedule {
  const { id, number, projectID, status, phrase, nextFireAt, lastRunAt, time } = value
  return {
    tenantID,
    id,
    number,
    projectID,
    status,
    phrase: columnText(phrase),
    nextFireAt,
    lastRunAt,
    created: time.created,
    data: encode(shapes.Schedule, value),
  }
}

export function scheduleRunRow(tenantID: string, value: ScheduleRun): Row.ScheduleRun {
  const { id, scheduleID, status, sessionID, startedAt, completedAt } = value
  const row = { tenantID, id, scheduleID, status, sessionID, startedAt, completedAt }
  return { ...row, data: encode(shapes.ScheduleRun, value) }
}

export function apiTokenRow(value: ApiToken): Row.ApiToken {
  const { tenantID, id, name, tokenHash, time } = value
  const { created, used, revoked } = time
  const row = { tenantID, id, name: columnText(name), tokenHash, created, used, revoked }
  return { ...row, data: encode(shapes.ApiToken, value) }
}

export function auditRow(tenantID: string, value: AuditEntry): Row.AuditEntry {
  const { id, at, act, person } = value
  const row = { tenantID, id, at, act, person: person && columnText(person.id), text: columnText(auditText(value)) }
  return { ...row, data: encode(shapes.AuditEntry, value) }
}

/** Text that every database takes as a column: PostgreSQL refuses NUL and half surrogate pairs. `data` keeps them. */
export function columnText(value: string): string {
  return value.replaceAll("\0", "").toWellFormed()
}

/** The beginning of what may be long, as a table of rows shows it. */
function beginning(value: string): string {
  return columnText(value.slice(0, 200))
}

function modelText({ providerID, modelID }: ModelRef): string {
  return columnText(`${providerID}/${modelID}`)
}
