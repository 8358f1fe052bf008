import type { FeedItem } from "@docket/core/schema"
import { formatCursor, parseCursor } from "../event/cursor.ts"
import { alreadySent, answerJson } from "../http/answer.ts"
import { longestStreamMs, serveEvents } from "../http/sse.ts"
import { streamRetryAfter, tooManyStreams } from "../http/stream-limit.ts"
import { untilLost } from "../http/until-lost.ts"
import { agentsOf } from "./agents-of.ts"
import { getTree, listMessages, listReviews, listShares, reviewEvents } from "./review-routes.ts"
import type { V1App, V1Context } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"

const limits = { messages: { usual: 50, most: 200 }, reviews: { usual: 50, most: 200 } }

/** `/v1/shares`, `/v1/reviews`, and what is read of `/v1/sessions/:id`. */
export function addReviews(app: V1App): void {
  addReads(app)
  app.openapi(reviewEvents, async (c) => {
    const agents = agentsOf(c)
    const { rootID } = await agents.session.get({ sessionID: c.req.valid("param").id })
    const header = parseCursor(c.req.header("last-event-id") ?? "")
    const since = header?.rootID === rootID ? header.seq : numberOf(c.req.valid("query").since)
    if (!c.var.streams.open(c.var.identity, c.env.outgoing)) return answerTooMany(c)
    // It goes on after the request is answered for: streams take no place among the requests of a tenant.
    serveEvents(c.env.outgoing, async (stream, left) => {
      const end = AbortSignal.any([untilLost(c.var.isStillWho, left), AbortSignal.timeout(longestStreamMs)])
      for await (const item of agents.feed({ rootID, since, others: false }, end)) {
        if (isOfReviews(item)) await stream.send(item, { id: formatCursor({ rootID, seq: item.seq ?? 0 }) })
      }
    }).catch(() => c.env.outgoing.destroy())
    return alreadySent()
  })
}

function addReads(app: V1App): void {
  app.openapi(listShares, async (c) => {
    const { session } = c.req.valid("query")
    const { agents } = c.var.tenant
    if (agents === null && session !== undefined) agentsOf(c)
    return answerJson(c, { shares: (await agents?.share.list({ rootID: session })) ?? [] }, 200)
  })
  app.openapi(getTree, async (c) => {
    const { seq, sessions, tasks, todos, permissions } = await agentsOf(c).session.tree({
      sessionID: c.req.valid("param").id,
    })
    return answerJson(c, { seq, sessions, tasks, todos, permissions }, 200)
  })
  app.openapi(listMessages, async (c) => {
    const { limit, ...anchors } = c.req.valid("query")
    if (Object.values(anchors).filter((anchor) => anchor !== undefined).length > 1)
      throw new V1Error(400, "give only one of before, after and around")
    const query = { sessionID: c.req.valid("param").id, ...anchors, limit: sizeOf(limit, limits.messages) }
    const { items, before, after } = await agentsOf(c).session.messages(query)
    return answerJson(c, { items, before, after }, 200)
  })
  app.openapi(listReviews, async (c) => {
    const { state, limit, cursor } = c.req.valid("query")
    const { agents } = c.var.tenant
    if (agents === null) return answerJson(c, { items: [], cursor: null }, 200)
    if (state === "awaiting") return answerJson(c, { items: await agents.review.awaiting(), cursor: null }, 200)
    return answerJson(c, await agents.review.inbox({ limit: sizeOf(limit, limits.reviews), cursor }), 200)
  })
}

function answerTooMany(c: V1Context) {
  const wait = streamRetryAfter
  c.env.outgoing.setHeader("retry-after", String(wait))
  return answerJson(c, { error: tooManyStreams, reason: "stream_limit", retry_after_seconds: wait }, 429)
}

function isOfReviews({ type }: FeedItem): boolean {
  return type.startsWith("review.") || type === "task.updated" || type === "resync"
}

function sizeOf(given: string | undefined, { usual, most }: { usual: number; most: number }): number {
  const size = numberOf(given) ?? usual
  return size >= 1 && size <= most ? size : usual
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
