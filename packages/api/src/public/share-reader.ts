import { isDocketError, type SharedMessages, type SharedPart } from "@docket/core"
import type { LinkReader } from "./link-reader.ts"
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
  readers(shareID: string): number
}

export interface ShareReaderDeps {
  links: LinkReader
  auth: ShareDoor["auth"]
  front: ShareDoor["front"]
}

export function createShareReader({ links, auth, front }: ShareReaderDeps): ShareReader {
  const of = links.runtime
  const door = { ...links, auth, front }
  return {
    tree: (visitor) => nullWhenDead(async () => sharedTree(of, await openShare(door, visitor))),
    messages: (visitor, { limit, ...query }) =>
      nullWhenDead(async () => sharedMessages(of, await openShare(door, visitor), { ...query, limit: String(limit) })),
    part: (visitor, partID) =>
      nullWhenDead(async () => of.share.copy.part((await openShare(door, visitor)).id, partID)),
    facts: (visitor) =>
      nullWhenDead(async () => {
        const { id, indexed } = await openShare(door, visitor)
        const { embedSites } = await of.share.copy.frame(id)
        return { indexed, embedSites }
      }),
    readers: (shareID) => of.share.copy.readers(shareID),
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
