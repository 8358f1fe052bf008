import { z } from "zod"
import { MessageError } from "./error.ts"
import { MessageID, PartID, ProjectID, SessionID } from "./ids.ts"
import { Memory } from "./memory.ts"
import { Message } from "./message.ts"
import { Part } from "./part.ts"
import { PermissionRequest } from "./permission.ts"
import { Presence } from "./presence.ts"
import { Project } from "./project.ts"
import { ReviewComment, ReviewThread, ReviewVerdict, ReviewViewed } from "./review.ts"
import { Schedule, ScheduleRun } from "./schedule.ts"
import { Session, SessionListItem, SessionStatus } from "./session.ts"
import { ShareInfo } from "./share.ts"
import { TaskSummary } from "./task.ts"
import { Todo } from "./todo.ts"
import { Turn } from "./turn.ts"
import { Workspace } from "./workspace.ts"

/**
 * Every event on the bus, by type. Those that stand for rows are replayed from the rows when a
 * subscriber resumes; `message.part.delta` is transient.
 */
export const eventSchemas = {
  "session.created": z.object({ info: Session }),
  "session.updated": z.object({ info: Session }),
  /** The row of a root session in lists, told to readers of other trees and to its own who show lists. Transient. */
  "session.listed": z.object({ item: SessionListItem }),
  "session.deleted": z.object({ sessionID: SessionID }),
  "session.status": z.object({ sessionID: SessionID, status: SessionStatus }),
  "session.error": z.object({ sessionID: SessionID, error: MessageError }),
  "message.updated": z.object({ info: Message }),
  "message.removed": z.object({ sessionID: SessionID, messageID: MessageID }),
  "message.part.updated": z.object({ part: Part }),
  "message.part.removed": z.object({ sessionID: SessionID, messageID: MessageID, partID: PartID }),
  /** New text of a text or reasoning part. Apply it only when the part holds exactly `offset` UTF-16 units. */
  "message.part.delta": z.object({
    sessionID: SessionID,
    messageID: MessageID,
    partID: PartID,
    offset: z.number().int().nonnegative(),
    text: z.string(),
  }),
  /** Always the session's whole list. Readers of another tree are told of it by `todo.list.changed`. */
  "todo.updated": z.object({ sessionID: SessionID, todos: z.array(Todo) }),
  /** A list of a tree that the reader does not follow changed. Transient. */
  "todo.list.changed": z.object({ sessionID: SessionID }),
  /** A tenant-wide item changed; it belongs to no tree. */
  "todo.item.updated": z.object({ todo: Todo }),
  "todo.item.removed": z.object({ todoID: z.string() }),
  "task.updated": z.object({ task: TaskSummary }),
  /**
   * A task as lists of what waits for a review have it, with the title of its tree and whose verdicts on it stand. Told
   * like `session.listed`. Transient.
   */
  "task.listed": z.object({ task: TaskSummary, title: z.string(), judgedBy: z.array(z.string()) }),
  "review.thread.updated": z.object({ thread: ReviewThread }),
  "review.comment.updated": z.object({ comment: ReviewComment }),
  "review.verdict.updated": z.object({ verdict: ReviewVerdict }),
  "review.viewed.updated": z.object({ viewed: ReviewViewed }),
  "memory.updated": z.object({ memory: Memory }),
  "memory.removed": z.object({ memoryID: z.string() }),
  "schedule.updated": z.object({ schedule: Schedule }),
  "schedule.removed": z.object({ scheduleID: z.string() }),
  "schedule.run.updated": z.object({ run: ScheduleRun }),
  /** A link was made or revoked. Transient. */
  "share.updated": z.object({ share: ShareInfo }),
  /** Who reads the tree now, once somebody came, moved or left. Transient. */
  "presence.updated": z.object({ presence: Presence }),
  "permission.asked": z.object({ request: PermissionRequest }),
  "permission.replied": z.object({ request: PermissionRequest }),
  "turn.updated": z.object({ turn: Turn }),
  "project.updated": z.object({ project: Project }),
  /** What a project's own configuration may set was trusted or no longer is: read everything of it again. */
  "config.updated": z.object({ projectID: ProjectID }),
  /** Something of the workspace was set. Transient. */
  "workspace.updated": z.object({ workspace: Workspace }),
} as const

const EventContents = z.object(eventSchemas)
/** What each type of event says. */
export type EventContents = z.infer<typeof EventContents>
export type EventType = keyof EventContents
export type EventProperties<T extends EventType> = EventContents[T]

/**
 * An event with its place: the tree it belongs to and, when rows changed, the tree's sequence number.
 * `rootID` is null for events of no tree (a project).
 */
export type DocketEvent = {
  [T in EventType]: { type: T; properties: EventProperties<T>; rootID: string | null; seq: number | null }
}[EventType]

/** What a subscriber receives besides events. `resync`: the cursor is unknown here, fetch afresh. */
export type FeedItem = DocketEvent | { type: "resync"; rootID: string; seq: number }
