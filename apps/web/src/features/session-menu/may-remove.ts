import type { Session } from "@docket/core/schema"
import type { Rights } from "../../shell/rights.ts"

/** Whether the reader may remove a session: one that they began, or brought from a file, or, with the right to manage those of others, any. */
export function mayRemove({ by, imported }: Pick<Session, "by" | "imported">, { can, person }: Rights): boolean {
  return can("prompt") && (can("sessions.manage") || (imported?.by ?? by)?.person === person)
}
