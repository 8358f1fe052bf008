import type { FeedItem } from "@docket/core/schema"
import { followTree } from "../event/follow-tree.ts"
import { alreadySent } from "../http/answer.ts"
import { longestStreamMs, serveEvents } from "../http/sse.ts"
import { untilLost } from "../http/until-lost.ts"
import { agentsOf } from "./agents-of.ts"
import { answerTooManyStreams } from "./answer-too-many-streams.ts"
import { eventStream, reviewEvents } from "./event-stream-routes.ts"
import type { V1App, V1Context } from "./v1-app.ts"
import { wireEvent } from "./wire-event.ts"

/** The streams of `/v1/sessions/:id`: of all events, and of what people say of the work. */
export function addEventStreams(app: V1App): void {
  app.openapi(eventStream, (c) => {
    const { after } = c.req.valid("query")
    return stream(c, { sessionID: c.req.valid("param").id, after, isSent: () => true })
  })
  app.openapi(reviewEvents, (c) => {
    const { since } = c.req.valid("query")
    return stream(c, { sessionID: c.req.valid("param").id, after: since, isSent: isOfReviews })
  })
}

interface StreamQuery {
  sessionID: string
  /** A `seq`. The id of the last event in the header counts more. */
  after: string | undefined
  isSent(item: FeedItem): boolean
}

async function stream(c: V1Context, { sessionID, after, isSent }: StreamQuery) {
  const agents = agentsOf(c)
  const { rootID } = await agents.session.get({ sessionID })
  const lastEventID = c.req.header("last-event-id")
  const query = { rootID, since: numberOf(after), lastEventID: lastEventID || undefined, others: false }
  if (!c.var.streams.open(c.var.identity, c.env.outgoing)) return answerTooManyStreams(c)
  // Not awaited: a stream does not count as a request in progress.
  serveEvents(c.env.outgoing, async (stream, closed) => {
    const end = AbortSignal.any([untilLost(c.var.isStillAllowed, closed), AbortSignal.timeout(longestStreamMs)])
    for await (const [id, item] of followTree(agents, query, end)) {
      if (isSent(item)) await stream.send(wireEvent(item), { id })
    }
  }).catch(() => c.env.outgoing.destroy())
  return alreadySent<string, 200>()
}

function isOfReviews({ type }: FeedItem): boolean {
  return type.startsWith("review.") || type === "task.updated" || type === "resync"
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
