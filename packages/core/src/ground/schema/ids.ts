import { z } from "zod"
import { type IdKind, idPrefix } from "./id-prefix.ts"

/** The schema of an id. Ids that several schemas use have a constant below. */
export const idOf = (kind: IdKind) =>
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
export const WebhookID = idOf("webhook")
export const AttachmentID = idOf("attachment")
export const ContentID = idOf("content")
export const WebhookDeliveryID = idOf("webhookDelivery")
export const NodeID = idOf("node")
export const HostID = idOf("host")
