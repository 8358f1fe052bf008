import { DocketError, isDocketError, type TreeSnapshot, type UseCases } from "@docket/core"
import type { ShareInfo } from "@docket/core/schema"
import { Hono } from "hono"
import { answered, answerJson, type NodeEnv } from "../http/answer.ts"
import { MessagesInput } from "../procedures/session.ts"
import { type ShareSummary, summarize } from "./share-summary.ts"
import { streamShare } from "./stream-share.ts"

/** A share as its readers see it. */
type PublicShare = Omit<ShareInfo, "by" | "decisions" | "left">

/** Body of `GET /api/share/:secret`. */
export interface SharedTree {
  share: PublicShare
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
    if (share.indexed) c.env.outgoing.removeHeader("x-robots-tag")
    await next()
  })
  app.get("/:secret", async (c) => {
    const { share } = c.var
    // A page tells of its visit when it opens its stream: it asks for the tree again whenever something happened.
    if (c.req.header("x-docket-page") === undefined) await runtime.share.copy.visit(share.id)
    return answerJson(c, await sharedTree(runtime, share), 200)
  })
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
  const copy = await goneWhenDead(runtime.share.copy.tree(share.id))
  const tree = { ...copy, permissions: [], turns: [] }
  return { share: publicShare(share), tree, summary: summarize(copy.sessions, Date.now()) }
}

async function sharedMessages(
  runtime: UseCases,
  share: ShareInfo,
  query: Record<string, string> & { sessionID: string },
) {
  const limit = query.limit === undefined ? undefined : Number(query.limit)
  const input = MessagesInput.safeParse({ ...query, limit })
  if (!input.success) throw new DocketError("invalid_input", "before, after and around are ids, limit is 1 to 2000")
  return await goneWhenDead(runtime.share.copy.messages(share.id, input.data))
}

/** Who made it, and what was decided of what it holds, is none of a reader's business. */
function publicShare({ by: _by, decisions: _decisions, left: _left, ...share }: ShareInfo): PublicShare {
  return share
}

/** A link may die while its answer is made. */
async function goneWhenDead<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw isDocketError(error) ? shareGone() : error
  })
}
