import type { DocketClient, MessageWithParts } from "@docket/client"

/** Messages of one request. */
const pageSize = 200

/** The whole transcript of a session, the oldest message first. */
export async function allMessages(docket: DocketClient, sessionID: string): Promise<MessageWithParts[]> {
  const pages: MessageWithParts[][] = []
  let before: string | undefined
  do {
    const page = await docket.session.messages.query({ sessionID, limit: pageSize, before })
    pages.unshift(page.items)
    before = page.before ?? undefined
  } while (before !== undefined)
  return pages.flat()
}
