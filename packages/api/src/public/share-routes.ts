import { DocketError, isDocketError, type TreeSnapshot, type UseCases } from "@docket/core"
import type { ShareInfo } from "@docket/core/schema"
import { Hono } from "hono"
import { answered, answerJson, type NodeEnv } from "../http/answer.ts"
import { MessagesInput } from "../procedures/session.ts"
import { publicMessage, publicTree, type ShareSummary, summarize, withoutCaller } from "./public-view.ts"
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

/** The secret of a live link is the right to its tree. */
interface ShareEnv extends NodeEnv {
  Variables: { share: ShareInfo }
}

/**
 * The routes of a public link: the tree, the messages of one session, the events. They need no login. Whatever else
 * is asked for there, and with a POST, the link is said to be dead.
 */
export function shareRoutes(runtime: UseCases): Hono<ShareEnv> {
  const app = new Hono<ShareEnv>()
  app.use(async ({ env }, next) => {
    env.outgoing.setHeader("x-robots-tag", "noindex, nofollow")
    await next()
  })
  app.get("/:secret/*", async (c, next) => {
    const secret = c.req.param("secret")
    const share = /^[0-9A-Za-z_-]{16,128}$/.test(secret) ? await runtime.share.resolve(secret) : null
    if (!share) throw shareGone()
    c.set("share", share)
    await next()
  })
  app.get("/:secret", async (c) => answerJson(c, await sharedTree(runtime, c.var.share), 200))
  app.get("/:secret/session/:sessionID", async (c) => {
    const query = { ...c.req.query(), sessionID: c.req.param("sessionID") }
    return answerJson(c, await sharedMessages(runtime, c.var.share, query), 200)
  })
  app.get("/:secret/events", ({ env, req, var: { share } }) => {
    const since = req.query("since")
    return answered(streamShare(runtime, env.outgoing, { secret: req.param("secret"), share, since }))
  })
  app.all("*", () => {
    throw shareGone()
  })
  return app
}

async function sharedTree(runtime: UseCases, share: ShareInfo): Promise<SharedTree> {
  const tree = publicTree(await runtime.session.tree(share.rootID))
  return { share: withoutCaller(share), tree, summary: summarize(tree.sessions) }
}

async function sharedMessages(
  runtime: UseCases,
  share: ShareInfo,
  query: Record<string, string> & { sessionID: string },
) {
  const limit = query.limit === undefined ? undefined : Number(query.limit)
  const input = MessagesInput.safeParse({ ...query, limit })
  if (!input.success) throw new DocketError("invalid_input", "before, after and around are ids, limit is 1 to 2000")
  const session = await runtime.session.get(query.sessionID).catch((error: unknown) => {
    throw isDocketError(error) ? shareGone() : error
  })
  if (session.rootID !== share.rootID) throw shareGone()
  const page = await runtime.session.messages(input.data)
  return { ...page, items: page.items.map(({ info, parts }) => ({ info: publicMessage(info), parts })) }
}
