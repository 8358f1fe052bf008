import { DocketError, type SharedMessages, type TreeSnapshot, type UseCases } from "@docket/core"
import { MessagesInput } from "@docket/core/operations"
import type { ShareInfo } from "@docket/core/schema"
import { goneWhenDead } from "./open-share.ts"
import { type ShareSummary, summarize } from "./share-summary.ts"

/** A share as its readers see it. */
type PublicShare = Pick<ShareInfo, "id" | "rootID" | "title" | "mode" | "shows" | "expires" | "indexed" | "time"> & {
  /** The author that the configuration names. */
  author: string | null
}

/** Body of `GET /api/share/:secret`. */
export interface SharedTree {
  share: PublicShare
  tree: TreeSnapshot
  /** Children that are left out: their ids and their parents. */
  locked: { id: string; parentID: string }[]
  summary: ShareSummary
}

export async function sharedTree(runtime: UseCases, share: ShareInfo): Promise<SharedTree> {
  const [{ locked, ...copy }, { author }] = await goneWhenDead(
    Promise.all([runtime.links.copy.tree(share.id), runtime.links.copy.frame(share.id)]),
  )
  const tree = { ...copy, permissions: [], turns: [] }
  // The root in the copy has the share's own title, redacted; `share.title` is as somebody typed it.
  const root = copy.sessions.find(({ id }) => id === share.rootID)
  const title = share.title === null ? null : (root?.title ?? null)
  return {
    share: publicShare({ ...share, title }, author),
    tree,
    locked,
    summary: summarize(copy.sessions, Date.now()),
  }
}

export async function sharedMessages(
  runtime: UseCases,
  share: ShareInfo,
  query: Record<string, string | undefined> & { sessionID: string },
): Promise<SharedMessages> {
  const limit = query.limit === undefined ? undefined : Number(query.limit)
  const input = MessagesInput.safeParse({ ...query, limit })
  if (!input.success) throw new DocketError("invalid_input", "before, after and around are ids, limit is 1 to 2000")
  return await goneWhenDead(runtime.links.copy.messages(share.id, input.data))
}

/** Leaves out what readers must not know: who made the share, for whom, and the decisions about its content. */
function publicShare(info: ShareInfo, author: string | null): PublicShare {
  const { id, rootID, title, mode, shows, expires, indexed, time } = info
  return { id, rootID, title, mode, shows, expires, indexed, time, author }
}
