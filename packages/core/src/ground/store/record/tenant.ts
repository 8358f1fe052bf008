import { ApiToken, AuditEntry, Workspace } from "../../schema/index.ts"
import { auditText } from "../audit-text.ts"
import type { AuditStore } from "../port/audit-store.ts"
import { defineRecord } from "./define-record.ts"
import type { Records } from "./records-port.ts"

export const apiTokenRecord = defineRecord({
  name: "ApiToken",
  words: ["token for /v1", "tokens for /v1"],
  schema: ApiToken,
  owner: "tenant",
  columns: { name: "text", tokenHash: "word", created: "number", used: "number?", revoked: "number?" },
  values: ({ time }) => time,
})

export const workspaceRecord = defineRecord({
  name: "Workspace",
  words: ["workspace's settings", "workspaces' settings"],
  schema: Workspace,
  key: "tenantID",
  owner: "tenant",
  columns: { created: "number", updated: "number" },
  values: ({ time }) => time,
})

export const auditRecord = defineRecord({
  name: "AuditEntry",
  words: ["entry of the audit log", "entries of the audit log"],
  schema: AuditEntry,
  owner: "tenant",
  columns: { at: "number", act: "word", person: "text?", text: "text" },
  values: (entry) => ({ person: entry.person?.id ?? null, text: auditText(entry) }),
  isLog: true,
})

/** All of the port but the search. */
export function auditRows(records: Records): Omit<AuditStore, "read"> {
  return {
    add: (entries) => records.add(auditRecord, entries),
    prune: (before) => records.remove(auditRecord, { at: { lt: before } }),
  }
}
