import { sizeOf } from "@docket/core/operations"
import { alreadySent } from "../http/answer.ts"
import { sendJson } from "../http/respond.ts"
import { ListedReviews, listReviews } from "./review-routes.ts"
import type { V1App } from "./v1-app.ts"
import { toWire } from "./wire-value.ts"

/** `/v1/reviews`. */
export function addReviews(app: V1App): void {
  app.openapi(listReviews, async (c) => {
    const { state, limit, cursor } = c.req.valid("query")
    const { agents } = c.var.tenant
    const page =
      agents === null
        ? { items: [], cursor: null }
        : state === "awaiting"
          ? { items: await agents.review.awaiting(), cursor: null }
          : await agents.review.inbox({ limit: sizeOf(limit, { usual: 50, most: 200 }), cursor })
    sendJson(c.env.outgoing, 200, toWire(ListedReviews, { ...page, nextCursor: page.cursor }))
    return alreadySent<never, 200>()
  })
}
