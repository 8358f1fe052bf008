import type { Session } from "@docket/core/schema"
import type { Rights } from "../../shell/rights.ts"

/** Whether the user may change the visibility of a session: in a team, one that they started or imported. */
export function mayHide(
  { parentID, by, imported }: Pick<Session, "parentID" | "by" | "imported">,
  { can, hasTeam, person }: Rights,
): boolean {
  const isTheirs = (imported?.by ?? by)?.person === person
  return hasTeam && can("prompt") && parentID === null && isTheirs
}
