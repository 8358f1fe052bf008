import { z } from "zod"
import type { Change } from "./change.ts"
import { EditorAsk } from "./editor.ts"
import { MessageError } from "./error.ts"
import { MessageID, PartID, ProjectID, SessionID } from "./ids.ts"
import { Memory } from "./memory.ts"
import { Message } from "./message.ts"
import { Part } from "./part.ts"
import { PermissionRequest } from "./permission.ts"
import { Presence } from "./presence.ts"
import { ReviewComment, ReviewThread, ReviewVerdict, ReviewViewed } from "./review.ts"
import { Schedule, ScheduleRun } from "./schedule.ts"
import { Session, SessionListItem, SessionStatus } from "./session.ts"
import { ShareInfo } from "./share.ts"
import { TaskSummary, taskSummary } from "./task.ts"
import { Todo } from "./todo.ts"
import { Turn } from "./turn.ts"
import { Project, Workspace } from "./workspace.ts"

/** The properties of a type of event besides its content. */
export interface EventTraits<Content> {
  /**
   * The kind of row change that the event reports, and the content for a given change (null: that change is not
   * reported). When a reader resumes, such events are made again from the rows. An event without `row` belongs to no
   * row and is sent only once.
   */
  row?: { kind: Change["kind"]; of: (change: never) => Content | null }
  /** Readers of the tree fetch the row with a separate call: the event does not change the tree that they hold. */
  apart?: true
  /**
   * Whether readers who show lists receive the event for trees that they do not follow. `only`: no other reader gets
   * it, and these readers also get it for the tree that they follow.
   */
  lists?: "also" | "only"
  /** The content that readers who show lists receive instead. */
  inLists?(content: Content): object
  /** Whether a slow reader, for whom both events of this type wait, can do without the older one. */
  replaces?(newer: Content, older: Content): boolean
  /**
   * Which other runtimes on the store are told of the event: those that have readers of its tree, or all. For events
   * without a row: what has one is read from the store.
   */
  peers?(content: Content): "readers" | "all" | null
}

function event<Shape extends z.ZodRawShape, const Traits extends EventTraits<z.infer<z.ZodObject<Shape>>>>(
  shape: Shape,
  traits?: Traits,
) {
  return { schema: z.object(shape), traits }
}

function row<Kind extends Change["kind"], Content>(
  kind: Kind,
  of: (change: Extract<Change, { kind: Kind }>) => Content | null,
) {
  return { kind, of }
}

const toReaders = { peers: () => "readers" as const }
const toAll = { peers: () => "all" as const }

/** From this many todos on, a list is long: a slow reader gets only its newest state. */
const longList = 200

/**
 * Every type of event with its properties. Whoever receives an event must reload the lists that are named like the
 * first word of its type. How an event changes a tree in memory is in `message/apply-event.ts`, because browsers load
 * that file but not this one.
 */
export const events = {
  "session.created": event(
    { info: Session },
    { row: row("session", ({ created, value }) => (created ? { info: value } : null)) },
  ),
  "session.updated": event(
    { info: Session },
    { row: row("session", ({ created, value }) => (created ? null : { info: value })) },
  ),
  /** The row of a root session in lists. */
  "session.listed": event(
    { item: SessionListItem },
    { lists: "only", replaces: (newer, older) => newer.item.session.id === older.item.session.id },
  ),
  "session.deleted": event(
    { sessionID: SessionID },
    { row: row("session.removed", ({ sessionID }) => ({ sessionID })), lists: "also" },
  ),
  "session.status": event(
    { sessionID: SessionID, status: SessionStatus },
    // Every other status is in the session's row.
    { peers: ({ status }) => (status.type === "storing" ? "readers" : null) },
  ),
  /**
   * Files were changed, by a call or by the commands of a step: `changes.summary` has the figures. `files` are the first
   * of `count` paths.
   */
  "session.diff": event({
    sessionID: SessionID,
    messageID: MessageID,
    files: z.array(z.string()),
    count: z.number().int().nonnegative(),
  }),
  /** A summary (`messageID`) now stands for the conversation before it. */
  "session.compacted": event({ sessionID: SessionID, messageID: MessageID }),
  "session.error": event({ sessionID: SessionID, error: MessageError }, toReaders),
  "message.updated": event({ info: Message }, { row: row("message", ({ value }) => ({ info: value })) }),
  "message.removed": event(
    { sessionID: SessionID, messageID: MessageID },
    { row: row("message.removed", ({ sessionID, messageID }) => ({ sessionID, messageID })) },
  ),
  "message.part.updated": event(
    { part: Part },
    { row: row("part", ({ quiet, value }) => (quiet ? null : { part: value })) },
  ),
  "message.part.removed": event(
    { sessionID: SessionID, messageID: MessageID, partID: PartID },
    { row: row("part.removed", ({ sessionID, messageID, partID }) => ({ sessionID, messageID, partID })) },
  ),
  /** New text of a text or reasoning part. Apply it only when the part holds exactly `offset` UTF-16 units. */
  "message.part.delta": event(
    {
      sessionID: SessionID,
      messageID: MessageID,
      partID: PartID,
      offset: z.number().int().nonnegative(),
      text: z.string(),
    },
    toReaders,
  ),
  /** Always the session's whole list. As it may be long, readers of other trees only learn that the list changed. */
  "todo.updated": event(
    { sessionID: SessionID, todos: z.array(Todo) },
    {
      row: row("todos", ({ sessionID, value }) => ({ sessionID, todos: value })),
      lists: "also",
      inLists: ({ sessionID }) => ({ type: "todo.list.changed", properties: { sessionID } }),
      replaces: (newer, older) => newer.todos.length >= longList && newer.sessionID === older.sessionID,
    },
  ),
  /** A list of a tree that the reader does not follow changed. */
  "todo.list.changed": event(
    { sessionID: SessionID },
    { replaces: (newer, older) => newer.sessionID === older.sessionID },
  ),
  /** A tenant-wide item changed; it belongs to no tree. */
  "todo.item.updated": event({ todo: Todo }, { lists: "also", ...toAll }),
  "todo.item.removed": event({ todoID: z.string() }, { lists: "also", ...toAll }),
  "task.updated": event({ task: TaskSummary }, { row: row("task", ({ value }) => ({ task: taskSummary(value) })) }),
  /** A task in the list of waiting reviews, with the title of its tree and the people whose verdicts on it stand. */
  "task.listed": event({ task: TaskSummary, title: z.string(), judgedBy: z.array(z.string()) }, { lists: "only" }),
  "review.thread.updated": event(
    { thread: ReviewThread },
    { row: row("thread", ({ value }) => ({ thread: value })), apart: true },
  ),
  "review.comment.updated": event(
    { comment: ReviewComment },
    { row: row("comment", ({ value }) => ({ comment: value })), apart: true },
  ),
  "review.verdict.updated": event(
    { verdict: ReviewVerdict },
    { row: row("verdict", ({ value }) => ({ verdict: value })), apart: true },
  ),
  "review.viewed.updated": event(
    { viewed: ReviewViewed },
    { row: row("viewed", ({ value }) => ({ viewed: value })), apart: true },
  ),
  "memory.updated": event({ memory: Memory }, { lists: "also", ...toAll }),
  "memory.removed": event({ memoryID: z.string() }, { lists: "also", ...toAll }),
  "schedule.updated": event({ schedule: Schedule }, { lists: "also", ...toAll }),
  "schedule.removed": event({ scheduleID: z.string() }, { lists: "also", ...toAll }),
  "schedule.run.updated": event({ run: ScheduleRun }, { lists: "also", ...toAll }),
  /** A link was made or revoked. */
  "share.updated": event({ share: ShareInfo }, toAll),
  /** Who reads the tree now, sent after somebody came, moved or left. */
  "presence.updated": event({ presence: Presence }, { replaces: () => true }),
  /** An editor is asked something; only that editor gets it. See `editor.answer`. */
  "editor.asked": event({ editorID: z.string(), askID: z.string(), ask: EditorAsk }, toReaders),
  /** The editor ends the command that it was asked to run. Only that editor gets it. */
  "editor.withdrawn": event({ editorID: z.string(), askID: z.string() }, toReaders),
  "permission.asked": event(
    { request: PermissionRequest },
    {
      row: row("permission", ({ value }) => (value.status === "pending" ? { request: value } : null)),
      lists: "also",
    },
  ),
  "permission.replied": event(
    { request: PermissionRequest },
    {
      row: row("permission", ({ value }) => (value.status === "pending" ? null : { request: value })),
      lists: "also",
    },
  ),
  "turn.updated": event({ turn: Turn }, { row: row("turn", ({ value }) => ({ turn: value })) }),
  "project.updated": event({ project: Project }, { lists: "also", ...toAll }),
  /** A host that has files of projects came or went, or takes work again or no more: see `project.awaited`. */
  "project.hosts.changed": event({}, { lists: "also" }),
  /** A project's own configuration was trusted, or its trust was revoked: read everything of the project again. */
  "config.updated": event({ projectID: ProjectID }, { lists: "also", ...toAll }),
  /** A setting of the workspace changed. */
  "workspace.updated": event({ workspace: Workspace }, { lists: "also", ...toAll }),
}

type Events = typeof events
/** The events whose entry has these traits. */
export type EventsWith<Traits> = {
  [T in keyof Events]: NonNullable<Events[T]["traits"]> extends Traits ? T : never
}[EventType]

// Entries keep the types of their schemas by name.
const schemas = Object.fromEntries(Object.entries(events).map(([type, { schema }]) => [type, schema])) as {
  [T in keyof Events]: Events[T]["schema"]
}
const EventContents = z.object(schemas)
/** The content of each type of event. */
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

/** An event, or `resync`: the cursor of the subscriber is unknown here, so the tree must be fetched afresh. */
export type FeedItem = DocketEvent | { type: "resync"; rootID: string; seq: number }

const eventSchemas = Object.entries(events).map(([type, { schema }]) =>
  z.object({
    type: z.literal(type),
    properties: schema,
    rootID: SessionID.nullable(),
    seq: z.number().int().nonnegative().nullable(),
  }),
)
const Resync = z.object({ type: z.literal("resync"), rootID: SessionID, seq: z.number().int().nonnegative() })

/** Describes what readers of a feed get. */
// Each entry describes its own type of event, which the list hides from the compiler.
export const FeedItemSchema = z.discriminatedUnion("type", [Resync, ...eventSchemas]) as unknown as z.ZodType<FeedItem>
