import type { Session } from "@docket/core/schema"
import type { Rights } from "../../shell/rights.ts"

/**
 * Whether the user may remove a session: one that they started or imported, or any session with the right to manage
 * those of others.
 */
export function mayRemove({ by, imported }: Pick<Session, "by" | "imported">, { can, person }: Rights): boolean {
  const isTheirs = (imported?.by ?? by)?.person === person
  return can("prompt") && (can("sessions.manage") || isTheirs)
}
