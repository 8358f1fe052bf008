import { SessionID } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { errorResponse, queryParameter, refusals } from "./openapi-parts.ts"
import { idInAddress } from "./v1-input.ts"

const ofSession = z.object({ id: idInAddress(SessionID, "session").openapi({ param: { description: "session id" } }) })
const seq = queryParameter({ type: "integer", minimum: 0 }, "a `seq`: what came after it; else from now on")

const responses = {
  200: {
    description: "one `Event` each; its `id` resumes after it, by `Last-Event-ID`",
    content: { "text/event-stream": { schema: z.string() } },
  },
  404: errorResponse("there is no such thing, or it is another tenant's"),
  ...refusals,
}

export const eventStream = guardedRoute("read", {
  method: "get",
  path: "/sessions/{id}/stream",
  operationId: "streamEvents",
  summary: "Server-sent events of the tree, with deltas of text. `listEvents` has the same in pages, without deltas.",
  request: { params: ofSession, query: z.object({ after: seq }) },
  responses,
})

export const reviewEvents = guardedRoute("read", {
  method: "get",
  path: "/sessions/{id}/review-events",
  operationId: "reviewEvents",
  summary: "Server-sent events of the tree: threads, comments, verdicts, looks and tasks.",
  request: { params: ofSession, query: z.object({ since: seq }) },
  responses,
})
