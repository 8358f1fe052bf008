import { attachmentRecord, attachmentStore } from "./attachment.ts"
import { contentRecord, contentStore } from "./content.ts"
import type { AnyRecord } from "./define-record.ts"
import { extensionStore, extensionSwitchRecord, extensionUseRecord, pluginAdditionsRecord } from "./extension.ts"
import { memoryRecord } from "./memory.ts"
import { grantRecord, permissionRecord, standingGrantRecord, standingGrantStore } from "./permission.ts"
import { projectRecord, projectStore, trustRecord, trustStore } from "./project.ts"
import type { Records } from "./records-port.ts"
import { commentRecord, draftRecord, threadRecord, verdictRecord, viewedRecord } from "./review.ts"
import { scheduleRecord, scheduleRunRecord } from "./schedule.ts"
import { messageRecord, partRecord, sessionRecord } from "./session.ts"
import { shareRecord, shareStore } from "./share.ts"
import { apiTokenRecord, auditRecord, workspaceRecord } from "./tenant.ts"
import { todoChangeRecord, todoRecord } from "./todo.ts"
import { taskRecord, turnRecord } from "./turn.ts"
import { deliveryRecord, webhookRecord } from "./webhook.ts"

/** Every kind of row with a value, by the name of its table. */
export const records = {
  ApiToken: apiTokenRecord,
  Attachment: attachmentRecord,
  AuditEntry: auditRecord,
  ConfigTrust: trustRecord,
  Content: contentRecord,
  ExtensionSwitch: extensionSwitchRecord,
  ExtensionUse: extensionUseRecord,
  Memory: memoryRecord,
  Message: messageRecord,
  Part: partRecord,
  PermissionGrant: grantRecord,
  PermissionRequest: permissionRecord,
  PluginAdditions: pluginAdditionsRecord,
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

/** The ports that are made of records alone, by their names in the store. */
const ports = {
  attachment: attachmentStore,
  content: contentStore,
  extension: extensionStore,
  project: projectStore,
  share: shareStore,
  standingGrant: standingGrantStore,
  trust: trustStore,
}

export type RecordPorts = { [N in keyof typeof ports]: ReturnType<(typeof ports)[N]> }

export function recordPorts(records: Records): RecordPorts {
  // Each name of `ports` has its port, which the type of the entries does not tell.
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, port(records)]),
  ) as unknown as RecordPorts
}
