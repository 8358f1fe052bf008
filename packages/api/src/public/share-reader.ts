import { isDocketError, type SharedMessages, type SharedPart } from "@docket/core"
import { openShare, type ShareDoor, type ShareVisitor } from "./open-share.ts"
import { type SharedTree, sharedMessages, sharedTree } from "./shared-tree.ts"

/** Which stretch of a transcript; without any of them, the newest. */
interface MessagesAnchor {
  before?: string | undefined
  after?: string | undefined
  around?: string | undefined
  limit: number
}

/** What answers are sent with. */
export interface ShareFacts {
  indexed: boolean
  /** Origins whose pages may show it in a frame. */
  embedSites: readonly string[]
}

/**
 * What pages of a link are made of, read in this process. Null when the link is dead for this visitor, or when what is
 * asked for is not in its copy.
 */
export interface ShareReader {
  tree(visitor: ShareVisitor): Promise<SharedTree | null>
  messages(visitor: ShareVisitor, query: MessagesAnchor & { sessionID: string }): Promise<SharedMessages | null>
  part(visitor: ShareVisitor, partID: string): Promise<SharedPart | null>
  facts(visitor: ShareVisitor): Promise<ShareFacts | null>
  /** How many follow it, as of now. */
  readers(visitor: ShareVisitor): Promise<number>
}

export function createShareReader(door: ShareDoor): ShareReader {
  const open = (visitor: ShareVisitor) => openShare(door, visitor)
  return {
    tree: (visitor) =>
      nullWhenDead(async () => {
        const { runtime, share } = await open(visitor)
        return sharedTree(runtime, share)
      }),
    messages: (visitor, { limit, ...query }) =>
      nullWhenDead(async () => {
        const { runtime, share } = await open(visitor)
        return sharedMessages(runtime, share, { ...query, limit: String(limit) })
      }),
    part: (visitor, partID) =>
      nullWhenDead(async () => {
        const { runtime, share } = await open(visitor)
        return runtime.links.copy.part(share.id, partID)
      }),
    facts: (visitor) =>
      nullWhenDead(async () => {
        const { runtime, share } = await open(visitor)
        const { embedSites } = await runtime.links.copy.frame(share.id)
        return { indexed: share.indexed, embedSites }
      }),
    async readers(visitor) {
      const opened = await nullWhenDead(() => open(visitor))
      return opened === null ? 0 : opened.runtime.links.copy.readers(opened.share.id)
    },
  }
}

async function nullWhenDead<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isDocketError(error)) return null
    throw error
  }
}
