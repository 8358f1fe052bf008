import type { Session } from "@docket/core/schema"

/** Whether only its author can see the session's tree. */
export function isPrivate({ parentID, visibility }: Pick<Session, "parentID" | "visibility">): boolean {
  return parentID === null && visibility === "author"
}
