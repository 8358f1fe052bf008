import { Hono } from "hono"
import { answered, answerJson, type NodeEnv } from "../http/answer.ts"
import type { Ingress } from "../http/ingress.ts"
import { sendAttachment } from "../http/send-attachment.ts"
import { sendDocument } from "../http/send-document.ts"
import { type StreamLimit, sendTooManyStreams } from "../http/stream-limit.ts"
import { type OpenedShare, openShare, type ShareDeps, shareGone, visitorOf } from "./open-share.ts"
import { shareJson } from "./share-json.ts"
import { shareMarkdown } from "./share-markdown.ts"
import { sharedMessages, sharedTree } from "./shared-tree.ts"
import { streamShare } from "./stream-share.ts"

export interface ShareRoutesDeps extends ShareDeps {
  ingress: Pick<Ingress, "isSecure" | "addressOf">
  streams: StreamLimit
}

/** The secret of a live link is the right to read its tree. */
interface ShareEnv extends NodeEnv {
  Variables: {
    opened: OpenedShare
    /** Checks again, for what takes longer. @throws share_not_found when the link has ended */
    isStillOpen(): Promise<boolean>
  }
}

/**
 * The routes of a public link: the tree, the messages of one session, the events, and a visit to count. They need no
 * login. Any other path, and any POST, answers that the link is dead.
 */
export function shareRoutes(deps: ShareRoutesDeps): Hono<ShareEnv> {
  const app = new Hono<ShareEnv>()
  app.use(async ({ env }, next) => {
    env.outgoing.setHeader("x-robots-tag", "noindex, nofollow")
    await next()
  })
  app.get("/:secret/*", async (c, next) => {
    const secret = c.req.param("secret").replace(/\.(?:md|json)$/, "")
    const visitor = { secret, cookie: c.req.header("cookie") }
    const opened = await openShare(deps, visitor)
    c.set("opened", opened)
    c.set("isStillOpen", async () => (await openShare(deps, visitor)).share.id === opened.share.id)
    if (opened.share.indexed) c.env.outgoing.removeHeader("x-robots-tag")
    await next()
  })
  app.get("/:file{[\\w-]+\\.md}", ({ env, var: { opened, isStillOpen } }) => {
    const head = { type: "text/markdown; charset=utf-8", fileName: "session.md" }
    return answered(sendDocument(env.outgoing, head, shareMarkdown(opened.runtime, opened.share), isStillOpen))
  })
  app.get("/:file{[\\w-]+\\.json}", ({ env, var: { opened, isStillOpen } }) => {
    const head = { type: "application/json; charset=utf-8", fileName: "session.json" }
    return answered(sendDocument(env.outgoing, head, shareJson(opened.runtime, opened.share), isStillOpen))
  })
  app.get("/:secret", async (c) => {
    const { runtime, share } = c.var.opened
    await runtime.links.copy.visit(share.id)
    return answerJson(c, await sharedTree(runtime, share), 200)
  })
  app.get("/:secret/session/:sessionID", async (c) => {
    const query = { ...c.req.query(), sessionID: c.req.param("sessionID") }
    const { runtime, share } = c.var.opened
    return answerJson(c, await sharedMessages(runtime, share, query), 200)
  })
  app.get("/:secret/file/:part/:hash", async (c) => {
    const { runtime, share } = c.var.opened
    const { part: partID, hash } = c.req.param()
    const kept = await runtime.links.copy.file(share.id, { partID, hash })
    if (kept === null) throw shareGone()
    // The link, or its right to show pictures, may end.
    return answered(sendAttachment(c.env.outgoing, kept, { lasts: false }))
  })
  // For pages without scripts. With scripts, the stream counts its readers.
  app.get("/:secret/visit", async ({ env, var: { opened } }) => {
    await opened.runtime.links.copy.visit(opened.share.id)
    env.outgoing.writeHead(204).end()
    return answered()
  })
  app.get("/:secret/events", async ({ env, req, var: { opened } }) => {
    const { runtime, share } = opened
    const since = req.query("since")
    const address = deps.ingress.addressOf(env.incoming)
    if (!deps.streams.openShared({ shareID: share.id, address }, env.outgoing))
      return answered(sendTooManyStreams(env.outgoing))
    const cookie = { cookie: req.header("cookie") }
    const { pass } = await visitorOf(deps, opened, cookie)
    // A member who is removed meanwhile can read no further.
    const visitor = { pass, isMember: async () => (await visitorOf(deps, opened, cookie)).isMember }
    return answered(streamShare(runtime, env.outgoing, { secret: req.param("secret"), visitor, share, since }))
  })
  app.all("*", () => {
    throw shareGone()
  })
  return app
}
