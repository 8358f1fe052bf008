import type { AuditEntry } from "../schema/index.ts"
import { asciiLower } from "./ascii-lower.ts"

/** Where the text of a search is looked for in an entry. */
export function auditText({ person, call, credential, address, targets, facts }: AuditEntry): string {
  const values = [person?.name, call, credential, address, ...Object.values(targets), ...Object.values(facts)]
  return values.filter((value) => value !== null && value !== undefined).join("\n")
}

/** Whether a search for the text finds the entry. */
export function hasAuditText(entry: AuditEntry, text: string): boolean {
  return asciiLower(auditText(entry)).includes(asciiLower(text))
}
