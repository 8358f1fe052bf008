import { ApiToken, AuditEntry, Workspace } from "../../schema/index.ts"
import type { AuditStore } from "../port/table-stores.ts"
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

/** All of the port except the search. */
export function auditRows(records: Records): Omit<AuditStore, "read"> {
  return {
    add: (entries) => records.add(auditRecord, entries),
    prune: (before) => records.remove(auditRecord, { at: { lt: before } }),
  }
}

/** Where the text of a search is looked for in an entry. */
export function auditText({ person, call, credential, address, targets, facts }: AuditEntry): string {
  const values = [person?.name, call, credential, address, ...Object.values(targets), ...Object.values(facts)]
  return values.filter((value) => value !== null && value !== undefined).join("\n")
}

/** Whether a search for the text finds the entry. */
export function hasAuditText(entry: AuditEntry, text: string): boolean {
  return asciiLower(auditText(entry)).includes(asciiLower(text))
}

/** ASCII letters in lower case; all others stay: databases agree on these alone. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
