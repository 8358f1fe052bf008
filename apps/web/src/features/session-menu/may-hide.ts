import type { Session } from "@docket/core/schema"
import type { Rights } from "../../shell/rights.ts"

/** Whether the reader says who sees a session: one of a team that they began, or brought from a file. */
export function mayHide(
  { parentID, by, imported }: Pick<Session, "parentID" | "by" | "imported">,
  { can, hasTeam, person }: Rights,
): boolean {
  return hasTeam && can("prompt") && parentID === null && (imported?.by ?? by)?.person === person
}
