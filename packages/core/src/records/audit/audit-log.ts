import type { AuditEntry } from "../../ground/schema/index.ts"
import type { AuditQuery, Page } from "../../ground/store/index.ts"

export type NewAuditEntry = Omit<AuditEntry, "id">

/** The audit logs of all workspaces: entries are added, read, and in time forgotten. There is no other way to change one. */
export interface AuditLog {
  /** Resolves when it is stored. Never rejects: what happened has happened, whether it could be written or not. */
  add(workspace: string, entry: NewAuditEntry): Promise<void>
  /** What was written last comes first. */
  read(
    workspace: string,
    query: Omit<AuditQuery, "before"> & { cursor?: string | undefined },
  ): Promise<Page<AuditEntry>>
}
