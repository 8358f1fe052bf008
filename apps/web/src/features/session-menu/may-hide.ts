import type { Session } from "@docket/core/schema"
import type { Rights } from "../../shell/rights.ts"

/** Whether nobody but its author sees the tree of a session. */
export function isPrivate({ parentID, visibility }: Pick<Session, "parentID" | "visibility">): boolean {
  return parentID === null && visibility === "author"
}

/** Whether the reader says who sees a session: one of a team that they began, or brought from a file. */
export function mayHide(
  { parentID, by, imported }: Pick<Session, "parentID" | "by" | "imported">,
  { can, hasTeam, person }: Rights,
): boolean {
  return hasTeam && can("prompt") && parentID === null && (imported?.by ?? by)?.person === person
}
