import type { ServerResponse } from "node:http"
import { DocketError, isDocketError, type Runtime, type TreeSnapshot } from "@docket/core"
import type { ShareInfo } from "@docket/core/schema"
import { sendJson } from "../http/respond.ts"
import { MessagesInput } from "../procedures/session.ts"
import { publicTree, type ShareSummary, summarize } from "./public-view.ts"
import { streamShare } from "./stream-share.ts"

/** Body of `GET /api/share/:secret`. */
export interface SharedTree {
  share: ShareInfo
  tree: TreeSnapshot
  summary: ShareSummary
}

/** One message for every way in which a link can be dead, so that guessing tells nothing. */
export function shareGone(): DocketError {
  return new DocketError("share_not_found", "this link does not exist or was revoked")
}

/**
 * The routes of a public link, below `/api/share/`: the tree, the messages of one session, the events.
 * They need no login: the secret is the right. @throws share_not_found
 */
export async function serveShare(runtime: Runtime, res: ServerResponse, url: URL): Promise<void> {
  res.setHeader("x-robots-tag", "noindex, nofollow")
  const [secret = "", area, sessionID, ...rest] = url.pathname.slice("/api/share/".length).split("/")
  if (res.req.method === "POST" || rest.length > 0 || !/^[0-9A-Za-z_-]{16,128}$/.test(secret)) throw shareGone()
  const share = await runtime.share.resolve(secret)
  if (!share) throw shareGone()
  if (area === undefined) return sendJson(res, 200, await sharedTree(runtime, share))
  if (area === "session" && sessionID) return sendJson(res, 200, await sharedMessages(runtime, share, sessionID, url))
  if (area === "events" && sessionID === undefined) return streamShare(runtime, res, { secret, share, url })
  throw shareGone()
}

async function sharedTree(runtime: Runtime, share: ShareInfo): Promise<SharedTree> {
  const tree = publicTree(await runtime.session.tree(share.rootID))
  return { share, tree, summary: summarize(tree.sessions) }
}

async function sharedMessages(runtime: Runtime, share: ShareInfo, sessionID: string, url: URL) {
  const query = Object.fromEntries(url.searchParams)
  const limit = query.limit === undefined ? undefined : Number(query.limit)
  const input = MessagesInput.safeParse({ ...query, sessionID, limit })
  if (!input.success) throw new DocketError("invalid_input", "before, after and around are ids, limit is 1 to 2000")
  const session = await runtime.session.get(sessionID).catch((error: unknown) => {
    throw isDocketError(error) ? shareGone() : error
  })
  if (session.rootID !== share.rootID) throw shareGone()
  return runtime.session.messages(input.data)
}
