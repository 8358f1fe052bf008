import { isDocketError, type SharedMessages, type SharedPart } from "@docket/core"
import { openShare, type ShareDeps, type ShareVisitor } from "./open-share.ts"
import { type SharedTree, sharedMessages, sharedTree } from "./shared-tree.ts"

/** Which part of a transcript. Without any of these, the newest. */
interface MessagesAnchor {
  before?: string | undefined
  after?: string | undefined
  around?: string | undefined
  limit: number
}

/** Facts about a share that its answers depend on. */
export interface ShareFacts {
  /** Whether search engines may list it. */
  indexed: boolean
  /** Origins of sites that may show it in a frame. */
  embedSites: readonly string[]
}

/**
 * Reads what a link's pages show, in this process. Null when the link is dead for this visitor, or its copy does not
 * have what was asked for.
 */
export interface ShareReader {
  tree(visitor: ShareVisitor): Promise<SharedTree | null>
  messages(visitor: ShareVisitor, query: MessagesAnchor & { sessionID: string }): Promise<SharedMessages | null>
  part(visitor: ShareVisitor, partID: string): Promise<SharedPart | null>
  facts(visitor: ShareVisitor): Promise<ShareFacts | null>
  /** How many people follow it now. */
  readers(visitor: ShareVisitor): Promise<number>
}

export function createShareReader(deps: ShareDeps): ShareReader {
  const open = (visitor: ShareVisitor) => openShare(deps, visitor)
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
