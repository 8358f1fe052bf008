import type { Session } from "@docket/core/schema"

/** The page of a session. @param desk address of a service; null when none lasts */
export function deskLink(desk: string | null, { id, rootID }: Pick<Session, "id" | "rootID">): string | null {
  if (desk === null) return null
  return `${desk}/s/${rootID}${id === rootID ? "" : `/c/${id}`}`
}
