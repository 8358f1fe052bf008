import type { Session } from "@docket/core/schema"
import type { Rights } from "../../shell/rights.ts"

/** Whether the reader may remove a session: one that they began, or, with the right to manage those of others, any. */
export function mayRemove({ by }: Pick<Session, "by">, { can, person }: Rights): boolean {
  return can("prompt") && (can("sessions.manage") || by?.person === person)
}
