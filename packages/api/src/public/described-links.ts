import { MessageID } from "@docket/core/schema"
import { type RouteConfig, z } from "@hono/zod-openapi"
import { invalid, keptFile, openToAll, pathText, refused, textOf } from "../http/plain-answers.ts"
import { jsonResponse, queryParameter } from "../v1/openapi-parts.ts"

const linkParams = z.object({ secret: pathText("of the link") })
const notOpen = { 404: refused("there is no such link, it has ended, or it asks for a login or a password") }

/** Descriptions of the routes of public links. They need nothing but the link's secret. */
export const describedLinks: RouteConfig[] = [
  openToAll({
    method: "get",
    path: "/api/share/{secret}",
    operationId: "sharedTree",
    summary: "The tree of a link: sessions, todos and its summary.",
    request: { params: linkParams },
    responses: { 200: jsonResponse("the tree", z.looseObject({})), ...notOpen },
  }),
  openToAll({
    method: "get",
    path: "/api/share/{secret}.md",
    operationId: "sharedMarkdown",
    summary: "All of a link as one document, to be read.",
    request: { params: linkParams },
    responses: { 200: textOf("text/markdown", "the document"), ...notOpen },
  }),
  openToAll({
    method: "get",
    path: "/api/share/{secret}.json",
    operationId: "sharedDocument",
    summary: "All of a link as one document, for programs. What a version holds stays; more may be added.",
    request: { params: linkParams },
    responses: {
      200: jsonResponse(
        "the document; each session with its todos and messages",
        z.looseObject({
          version: z.literal(1),
          share: z.looseObject({}),
          summary: z.looseObject({}),
          locked: z.array(z.object({ id: z.string(), parentID: z.string() })),
          tasks: z.array(z.looseObject({})),
          sessions: z.array(z.looseObject({})),
        }),
      ),
      ...notOpen,
    },
  }),
  openToAll({
    method: "get",
    path: "/api/share/{secret}/session/{sessionID}",
    operationId: "sharedMessages",
    summary: "A window of a transcript of a link, oldest first; the newest without an anchor.",
    request: {
      params: linkParams.extend({ sessionID: pathText("session id") }),
      query: z.object({
        before: queryParameter({ type: "string" }, "a message id: those before it"),
        after: queryParameter({ type: "string" }, "a message id: those after it"),
        around: queryParameter({ type: "string" }, "a message or part id: those around it"),
        limit: queryParameter({ type: "integer", minimum: 1, maximum: 2_000 }, "how many at most"),
      }),
    },
    responses: {
      200: jsonResponse(
        "the messages; `before` and `after` name the edge where there is more",
        z.object({
          items: z.array(z.object({ info: z.looseObject({ id: MessageID }), parts: z.array(z.looseObject({})) })),
          before: z.string().nullable(),
          after: z.string().nullable(),
        }),
      ),
      ...invalid,
      ...notOpen,
    },
  }),
  openToAll({
    method: "get",
    path: "/api/share/{secret}/file/{part}/{hash}",
    operationId: "sharedFile",
    summary: "A picture or PDF that a part of a link shows, where its maker included pictures.",
    request: {
      params: linkParams.extend({ part: pathText("part id"), hash: pathText("SHA-256 of the content, in hex") }),
    },
    responses: { 200: keptFile, ...notOpen },
  }),
  openToAll({
    method: "get",
    path: "/api/share/{secret}/events",
    operationId: "sharedEvents",
    summary: "Server-sent events of the tree of a link; `revoked` is the last one.",
    request: {
      params: linkParams,
      query: z.object({ since: queryParameter({ type: "integer", minimum: 0 }, "a `seq`: what came after it") }),
    },
    responses: { 200: textOf("text/event-stream", "one event each"), ...notOpen },
  }),
]
