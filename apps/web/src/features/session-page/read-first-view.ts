import type { PageReads } from "@docket/client/pages"
import type { Session, ToolPart } from "@docket/core/schema"
import { clipCall } from "../transcript/first/clip-part.ts"
import { type FirstView, fitsPage, readFirst, readPage, seedOf } from "../transcript/first/read-first.ts"
import { findTaskPart } from "../tree/find-task-part.ts"

interface Address {
  rootID: string
  sessionID: string
  /** The part id in the address. */
  part: string | null
}

export interface FirstSessionView extends FirstView {
  /** The call that started a child; null for a root, and for a call that is too large. */
  asked: ToolPart | null
}

/** Longer calls are fetched after the page (UTF-16 units, as JSON). */
const longestCall = 8_000

/** Data that is sent with a session's page; null when it has to be fetched afterwards. */
export function readFirstView(address: Address): Promise<FirstSessionView | null> {
  return readFirst(async (reads) => {
    const [snapshot, page] = await Promise.all([
      reads.session.tree({ sessionID: address.sessionID }),
      readPage(reads, address),
    ])
    const seed = fitsPage(address.rootID, snapshot) ? seedOf(address, snapshot, page) : null
    if (seed === null) return null
    const session = snapshot.sessions.find(({ id }) => id === address.sessionID)
    // If this fails, the header is fetched later; the rows are sent all the same.
    return { seed, asked: session ? await readCall(reads, session).catch(() => null) : null }
  })
}

async function readCall(reads: PageReads, session: Session): Promise<ToolPart | null> {
  const { parentID, origin } = session
  if (parentID === null || origin === null) return null
  const { items } = await reads.session.messages({ sessionID: parentID, around: origin.messageID, limit: 2 })
  const part = findTaskPart(session, { [parentID]: { messages: items, before: null, after: null } })
  const clipped = part && clipCall(part)
  return clipped && JSON.stringify(clipped).length <= longestCall ? clipped : null
}
