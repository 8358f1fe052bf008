import {
  ApiToken,
  AuditEntry,
  Caller,
  ConfigTrust,
  Memory,
  Message,
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
import type { PermissionGrant } from "@docket/core/store"
import { z } from "zod"
import type { Prisma } from "../generated/sqlite/client/client.ts"
import { namePermissionKind } from "./permission-kinds.ts"

/** Makes what one version of a row's shape wrote into what the next one writes. */
export type Upcast = (older: Record<string, unknown>) => Record<string, unknown>

/**
 * What the `data` of a table's rows looks like. When a released shape changes so that `schema` does not take the older
 * one, an upcast is added at the end; those that are there stay for ever. The shape's version is their number plus one.
 */
export interface RowShape<T> {
  table: Prisma.ModelName
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } }
  upcasts: readonly Upcast[]
}

const StoredGrant: z.ZodType<PermissionGrant> = z.object({
  id: z.string(),
  rootID: z.string(),
  sessionID: z.string().optional(),
  permission: z.string(),
  pattern: z.string(),
  requestID: z.string().optional(),
  agent: z.string().optional(),
  by: Caller.optional(),
  createdAt: z.number(),
})

function shape<T>(table: Prisma.ModelName, schema: RowShape<T>["schema"], ...upcasts: Upcast[]): RowShape<T> {
  return { table, schema, upcasts }
}

export const shapes = {
  ApiToken: shape<ApiToken>("ApiToken", ApiToken),
  AuditEntry: shape<AuditEntry>("AuditEntry", AuditEntry),
  ConfigTrust: shape<ConfigTrust>("ConfigTrust", ConfigTrust),
  Memory: shape<Memory>("Memory", Memory),
  Message: shape<Message>("Message", Message),
  Part: shape<Part>("Part", Part),
  PermissionGrant: shape<PermissionGrant>("PermissionGrant", StoredGrant),
  PermissionRequest: shape<PermissionRequest>("PermissionRequest", PermissionRequest, namePermissionKind),
  Project: shape<Project>("Project", Project),
  ReviewComment: shape<ReviewComment>("ReviewComment", ReviewComment),
  ReviewDraft: shape<ReviewDraft>("ReviewDraft", ReviewDraft),
  ReviewThread: shape<ReviewThread>("ReviewThread", ReviewThread),
  ReviewVerdict: shape<ReviewVerdict>("ReviewVerdict", ReviewVerdict),
  ReviewViewed: shape<ReviewViewed>("ReviewViewed", ReviewViewed),
  Schedule: shape<Schedule>("Schedule", Schedule),
  ScheduleRun: shape<ScheduleRun>("ScheduleRun", ScheduleRun),
  Session: shape<Session>("Session", Session),
  Share: shape<Share>("Share", Share),
  StandingGrant: shape<StandingGrant>("StandingGrant", StandingGrant),
  Task: shape<Task>("Task", Task),
  Todo: shape<Todo>("Todo", Todo),
  TodoChange: shape<TodoChange>("TodoChange", TodoChange),
  Turn: shape<Turn>("Turn", Turn),
  Webhook: shape<Webhook>("Webhook", Webhook),
  WebhookDelivery: shape<WebhookDelivery>("WebhookDelivery", WebhookDelivery),
  Workspace: shape<Workspace>("Workspace", Workspace),
}

/** Where `data` names the version of its shape; rows of the first version have none. */
const versionKey = "$shape"

/** The `data` of a row that holds the value. */
export function encode<T extends object>({ upcasts }: RowShape<T>, value: T): string {
  return JSON.stringify(upcasts.length === 0 ? value : { [versionKey]: upcasts.length + 1, ...value })
}

/** The value in the `data` of a row of this or an older version. @throws Error saying why it cannot be read */
export function decode<T>({ schema, upcasts }: RowShape<T>, data: string): T {
  const parsed = schema.safeParse(upcast(upcasts, JSON.parse(data)))
  if (parsed.success) return parsed.data
  throw parsed.error
}

function upcast(upcasts: readonly Upcast[], value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  const { [versionKey]: version = 1, ...older } = { ...value } as Record<string, unknown>
  if (typeof version !== "number" || version > upcasts.length + 1) {
    throw new Error(`it was written by a newer version of Docket (shape ${String(version)})`)
  }
  return upcasts.slice(version - 1).reduce((row, step) => step(row), older)
}
