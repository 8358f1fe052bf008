import type { AuditEntry } from "../../schema/index.ts"

/** Which entries of the audit log. Times are epoch ms. */
export interface AuditQuery {
  person?: string | undefined
  act?: string | undefined
  since?: number | undefined
  until?: number | undefined
  /** In an id or name of a target, a fact or the person's name, ignoring ASCII case. */
  text?: string | undefined
  /** Only what was written before the entry of this id. */
  before?: string | undefined
  limit: number
}

/** Who did what. What was written stays as it is until it is old. */
export interface AuditStore {
  add(entries: readonly AuditEntry[]): Promise<void>
  /** What was written last comes first. */
  read(query: AuditQuery): Promise<AuditEntry[]>
  /** Removes what is from before then, and answers how many that were. */
  prune(before: number): Promise<number>
}
