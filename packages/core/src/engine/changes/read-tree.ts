import { momentOf } from "../../ground/id/moment-of.ts"
import type { MessageWithParts, Session } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { undonePart } from "../revert/undone-part.ts"
import type { createSessionMessages } from "./session-messages.ts"

/** Messages that are read of each session, the newest, and of a tree. */
export const maxMessages = { session: 1_000, tree: 4_000 }

export interface TreeMessages {
  sessions: Map<string, Session>
  /** Of all sessions by time, without what is undone. */
  messages: MessageWithParts[]
  truncated: boolean
}

type Stores = Pick<Store, "session" | "task" | "transcript">

/** The newest messages of a tree, without what is undone. */
export async function readTree(
  { store, messagesOf }: { store: Stores; messagesOf: ReturnType<typeof createSessionMessages> },
  rootID: string,
): Promise<TreeMessages> {
  const sessions = await store.session.tree(rootID)
  const undone = await undoneIn(store, sessions)
  const messages: MessageWithParts[] = []
  let truncated = false
  for (const session of sessions) {
    if (undone.sessions.has(session.id)) continue
    const left = Math.min(maxMessages.session, maxMessages.tree - messages.length)
    const read = await messagesOf(session.id, left)
    truncated ||= read.truncated
    messages.push(...read.messages.filter(({ info }) => !undone.messages.has(info.id)))
  }
  messages.sort((a, b) => (momentOf(a.info.id) < momentOf(b.info.id) ? -1 : 1))
  return { sessions: new Map(sessions.map((session) => [session.id, session])), messages, truncated }
}

async function undoneIn(store: Stores, sessions: readonly Session[]) {
  const found = { sessions: new Set<string>(), messages: new Set<string>() }
  for (const session of sessions) {
    if (!session.revert) continue
    const { messageID, mark } = session.revert
    for (const part of await undonePart(store, session, { messageID, until: mark })) {
      if (part.whole) found.sessions.add(part.session.id)
      for (const { info } of part.messages) found.messages.add(info.id)
    }
  }
  return found
}
