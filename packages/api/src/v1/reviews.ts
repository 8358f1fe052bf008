import { sizeOf } from "@docket/core/operations"
import type { FeedItem } from "@docket/core/schema"
import { formatCursor, parseCursor } from "../event/cursor.ts"
import { alreadySent, answerJson } from "../http/answer.ts"
import { longestStreamMs, serveEvents } from "../http/sse.ts"
import { streamRetryAfter, tooManyStreams } from "../http/stream-limit.ts"
import { untilLost } from "../http/until-lost.ts"
import { agentsOf } from "./agents-of.ts"
import { listReviews, reviewEvents } from "./review-routes.ts"
import type { V1App, V1Context } from "./v1-app.ts"

/** `/v1/reviews`, and the events of `/v1/sessions/:id`. */
export function addReviews(app: V1App): void {
  app.openapi(listReviews, async (c) => {
    const { state, limit, cursor } = c.req.valid("query")
    const { agents } = c.var.tenant
    if (agents === null) return answerJson(c, { items: [], cursor: null }, 200)
    if (state === "awaiting") return answerJson(c, { items: await agents.review.awaiting(), cursor: null }, 200)
    return answerJson(c, await agents.review.inbox({ limit: sizeOf(limit, { usual: 50, most: 200 }), cursor }), 200)
  })
  app.openapi(reviewEvents, async (c) => {
    const agents = agentsOf(c)
    const { rootID } = await agents.session.get({ sessionID: c.req.valid("param").id })
    const header = parseCursor(c.req.header("last-event-id") ?? "")
    const since = header?.rootID === rootID ? header.seq : numberOf(c.req.valid("query").since)
    if (!c.var.streams.open(c.var.identity, c.env.outgoing)) return answerTooMany(c)
    // Not awaited: a stream does not count as a request in progress.
    serveEvents(c.env.outgoing, async (stream, closed) => {
      const end = AbortSignal.any([untilLost(c.var.isStillAllowed, closed), AbortSignal.timeout(longestStreamMs)])
      for await (const item of agents.feed({ rootID, since, others: false }, end)) {
        if (isOfReviews(item)) await stream.send(item, { id: formatCursor({ rootID, seq: item.seq ?? 0 }) })
      }
    }).catch(() => c.env.outgoing.destroy())
    return alreadySent()
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

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
