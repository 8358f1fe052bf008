import type { DocketClient } from "@docket/client"
import { allMessages } from "./all-messages.ts"
import { userContent } from "./user-content.ts"

/** The ids of the messages in which a person wrote or attached something, the oldest first. */
export async function promptsOf(docket: DocketClient, sessionID: string): Promise<string[]> {
  const messages = await allMessages(docket, sessionID)
  return messages
    .filter(({ info, parts }) => info.role === "user" && parts.some((part) => userContent(part) !== null))
    .map(({ info }) => info.id)
}
