import { z } from "zod"

/** Prefix of each entity's id: `<prefix>_` + 12 hex digits of milliseconds + 14 base62 characters. */
export const idPrefix = {
  session: "ses",
  message: "msg",
  part: "prt",
  todo: "tod",
  permission: "per",
  grant: "grt",
  project: "prj",
  turn: "trn",
  share: "shr",
  task: "tsk",
  todoChange: "tdc",
  memory: "mem",
  schedule: "sch",
  scheduleRun: "run",
  apiToken: "tok",
  reviewThread: "rvt",
  reviewComment: "rvc",
  reviewVerdict: "rvd",
  reviewViewed: "rvw",
} as const

export type IdKind = keyof typeof idPrefix

const idOf = (kind: IdKind) =>
  z.string().regex(new RegExp(`^${idPrefix[kind]}_[0-9a-f]{12}[0-9A-Za-z]{14}$`), {
    error: `expected an id that looks like ${idPrefix[kind]}_…`,
  })

export const SessionID = idOf("session")
export const MessageID = idOf("message")
export const PartID = idOf("part")
export const TodoID = idOf("todo")
export const PermissionID = idOf("permission")
export const GrantID = idOf("grant")
export const ProjectID = idOf("project")
export const TurnID = idOf("turn")
export const ShareID = idOf("share")
export const TaskID = idOf("task")
export const TodoChangeID = idOf("todoChange")
export const MemoryID = idOf("memory")
export const ScheduleID = idOf("schedule")
export const ScheduleRunID = idOf("scheduleRun")
export const ApiTokenID = idOf("apiToken")
export const ReviewThreadID = idOf("reviewThread")
export const ReviewCommentID = idOf("reviewComment")
export const ReviewVerdictID = idOf("reviewVerdict")
export const ReviewViewedID = idOf("reviewViewed")
