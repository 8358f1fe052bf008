import type {
  ApiToken,
  ConfigTrust,
  Memory,
  Message,
  Part,
  PermissionRequest,
  Project,
  Schedule,
  ScheduleRun,
  Session,
  Share,
  Task,
  Todo,
  TodoChange,
  Turn,
} from "@docket/core/schema"
import { isCompactionSummary, isUntold, type PermissionGrant, todoRank, totalTokens } from "@docket/core/store"
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
    status: value.status.type,
    originCallID: value.origin && columnText(value.origin.callID),
    cost: value.cost,
    tokens: totalTokens(value.tokens),
    created: value.time.created,
    updated: value.time.updated,
    archived: value.time.archived !== null,
    createdSeq,
    data: encode(shapes.Session, value),
  }
}

export function messageRow(place: Place, value: Message): Rows["Message"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    role: value.role,
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
    sessionID: of?.sessionID ?? null,
    status: value.status,
    rank: todoRank(value.status),
    position: value.position,
    agent: value.agent && columnText(value.agent),
    updated: value.time.updated,
    data: encode(shapes.Todo, value),
  }
}

export function todoChangeRow(tenantID: string, value: TodoChange): Rows["TodoChange"] {
  const { id, todoID, sessionID, at } = value
  return { tenantID, id, todoID, sessionID, at, data: encode(shapes.TodoChange, value) }
}

export function taskRow(place: Place, value: Task): Rows["Task"] {
  return {
    ...place,
    id: value.id,
    parentID: value.parentID,
    sessionID: value.sessionID,
    number: value.number,
    state: isUntold(value) ? "untold" : value.state,
    worktree: value.worktree?.state ?? null,
    created: value.time.created,
    data: encode(shapes.Task, value),
  }
}

export function turnRow(place: Place, value: Turn): Rows["Turn"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    status: value.status,
    epoch: value.epoch,
    created: value.time.created,
    data: encode(shapes.Turn, value),
  }
}

export function permissionRow(place: Place, value: PermissionRequest): Rows["PermissionRequest"] {
  return {
    ...place,
    id: value.id,
    sessionID: value.sessionID,
    status: value.status,
    created: value.time.created,
    data: encode(shapes.PermissionRequest, value),
  }
}

export function grantRow(tenantID: string, value: PermissionGrant): Rows["PermissionGrant"] {
  return {
    tenantID,
    id: value.id,
    rootID: value.rootID,
    createdAt: value.createdAt,
    data: encode(shapes.PermissionGrant, value),
  }
}

export function projectRow(tenantID: string, value: Project): Rows["Project"] {
  const { id, directory, time } = value
  return { tenantID, id, directory, opened: time.opened, data: encode(shapes.Project, value) }
}

export function shareRow(tenantID: string, value: Share): Rows["Share"] {
  const { id, rootID, secretHash, time } = value
  return { tenantID, id, rootID, secretHash, created: time.created, data: encode(shapes.Share, value) }
}

export function trustRow(tenantID: string, value: ConfigTrust): Rows["ConfigTrust"] {
  const { hash, directory, time } = value
  return {
    tenantID,
    hash,
    directory: columnText(directory),
    trusted: time.trusted,
    data: encode(shapes.ConfigTrust, value),
  }
}

export function memoryRow(tenantID: string, value: Memory): Rows["Memory"] {
  const { id, number, projectID, sessionID, type, tags, invalidatedAt, time } = value
  return {
    tenantID,
    id,
    number,
    projectID,
    sessionID,
    type,
    tags: tags.map(tagText).join(""),
    invalidated: invalidatedAt !== null,
    created: time.created,
    data: encode(shapes.Memory, value),
  }
}

/** A tag as the column of tags holds it: what is between spaces is one whole tag. */
export function tagText(tag: string): string {
  return ` ${encodeURIComponent(tag.toWellFormed())} `
}

export function scheduleRow(tenantID: string, value: Schedule): Rows["Schedule"] {
  const { id, number, projectID, status, nextFireAt, time } = value
  return {
    tenantID,
    id,
    number,
    projectID,
    status,
    nextFireAt,
    created: time.created,
    data: encode(shapes.Schedule, value),
  }
}

export function scheduleRunRow(tenantID: string, value: ScheduleRun): Rows["ScheduleRun"] {
  const { id, scheduleID, status, startedAt } = value
  return { tenantID, id, scheduleID, status, startedAt, data: encode(shapes.ScheduleRun, value) }
}

export function apiTokenRow(value: ApiToken): Rows["ApiToken"] {
  const { tenantID, id, tokenHash, time } = value
  return { tenantID, id, tokenHash, created: time.created, data: encode(shapes.ApiToken, value) }
}

/** Text that every database takes as a column: PostgreSQL refuses NUL and half surrogate pairs. `data` keeps them. */
export function columnText(value: string): string {
  return value.replaceAll("\0", "").toWellFormed()
}
