import type { AnyRecord } from "./define-record.ts"
import { memoryRecord } from "./memory.ts"
import { grantRecord, permissionRecord, standingGrantRecord } from "./permission.ts"
import { projectRecord, trustRecord } from "./project.ts"
import { commentRecord, draftRecord, threadRecord, verdictRecord, viewedRecord } from "./review.ts"
import { scheduleRecord, scheduleRunRecord } from "./schedule.ts"
import { messageRecord, partRecord, sessionRecord } from "./session.ts"
import { shareRecord } from "./share.ts"
import { apiTokenRecord, auditRecord, workspaceRecord } from "./tenant.ts"
import { todoChangeRecord, todoRecord } from "./todo.ts"
import { taskRecord, turnRecord } from "./turn.ts"
import { deliveryRecord, webhookRecord } from "./webhook.ts"

/** Every kind of row that holds a value, by the name of its table. */
export const records = {
  ApiToken: apiTokenRecord,
  AuditEntry: auditRecord,
  ConfigTrust: trustRecord,
  Memory: memoryRecord,
  Message: messageRecord,
  Part: partRecord,
  PermissionGrant: grantRecord,
  PermissionRequest: permissionRecord,
  Project: projectRecord,
  ReviewComment: commentRecord,
  ReviewDraft: draftRecord,
  ReviewThread: threadRecord,
  ReviewVerdict: verdictRecord,
  ReviewViewed: viewedRecord,
  Schedule: scheduleRecord,
  ScheduleRun: scheduleRunRecord,
  Session: sessionRecord,
  Share: shareRecord,
  StandingGrant: standingGrantRecord,
  Task: taskRecord,
  Todo: todoRecord,
  TodoChange: todoChangeRecord,
  Turn: turnRecord,
  Webhook: webhookRecord,
  WebhookDelivery: deliveryRecord,
  Workspace: workspaceRecord,
} as const satisfies Record<string, AnyRecord>

export type RecordName = keyof typeof records
