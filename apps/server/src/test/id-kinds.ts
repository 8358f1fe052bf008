import { createIdSource } from "@docket/core"

const createID = createIdSource()

/** The table and column of each kind of id. A `…Number` is the number that users see instead of the id. */
export const idKinds = {
  session: { table: "Session", column: "id" },
  project: { table: "Project", column: "id" },
  message: { table: "Message", column: "id" },
  part: { table: "Part", column: "id" },
  turn: { table: "Turn", column: "id" },
  task: { table: "Task", column: "id" },
  permission: { table: "PermissionRequest", column: "id" },
  grant: { table: "StandingGrant", column: "id" },
  share: { table: "Share", column: "id" },
  todo: { table: "Todo", column: "id" },
  todoNumber: { table: "Todo", column: "number" },
  memory: { table: "Memory", column: "id" },
  memoryNumber: { table: "Memory", column: "number" },
  schedule: { table: "Schedule", column: "id" },
  scheduleNumber: { table: "Schedule", column: "number" },
  scheduleRun: { table: "ScheduleRun", column: "id" },
  reviewThread: { table: "ReviewThread", column: "id" },
  reviewComment: { table: "ReviewComment", column: "id" },
  reviewDraft: { table: "ReviewDraft", column: "id" },
  webhook: { table: "Webhook", column: "id" },
  webhookDelivery: { table: "WebhookDelivery", column: "id" },
} as const
export type IdKind = keyof typeof idKinds

export type Id = string | number

/** Kinds of ids that a call may need in addition to the id that is tried. */
export const besideKinds = [
  "session",
  "message",
  "part",
  "project",
  "reviewComment",
  "task",
  "todo",
  "permission",
] as const
/** The caller's own rows, for such calls. */
export type OwnIds = Record<(typeof besideKinds)[number], string>

/** A valid id of this kind that no row has. */
export const missingID = (kind: IdKind): Id =>
  kind.endsWith("Number")
    ? 900_001
    : createID((kind === "reviewDraft" ? "reviewComment" : kind) as Parameters<typeof createID>[0])
