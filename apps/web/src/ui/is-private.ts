import type { Session } from "@docket/core/schema"

/** Whether nobody but its author sees the tree of a session. */
export function isPrivate({ parentID, visibility }: Pick<Session, "parentID" | "visibility">): boolean {
  return parentID === null && visibility === "author"
}
