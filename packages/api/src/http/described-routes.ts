import { ApiToken, ApiTokenID, MessageID } from "@docket/core/schema"
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi"
import { jsonBody, jsonResponse, queryParameter } from "../v1/openapi-parts.ts"
import { ExportedFile, exportQuery, ImportReport, importQuery } from "../v1/transfer-routes.ts"
import type { SignedInEnv } from "./signed-in.ts"

/** A refusal of a plain route: that of a tRPC call, so that one client reads both. */
const PlainError = z.object({
  error: z.object({
    code: z.number().int(),
    message: z.string().openapi({ description: "says what to do" }),
    data: z.object({
      code: z.string(),
      httpStatus: z.number().int(),
      docketCode: z.string().nullable(),
      path: z.string().nullable(),
    }),
  }),
})

const refused = (description: string) => jsonResponse(description, PlainError)
export const signedOut = { 401: refused("not signed in") }
const invalid = { 400: refused("the request is not valid; says what is wrong") }
export const missing = { 404: refused("there is no such thing") }
const notOpen = { 404: refused("there is no such link, or it has ended") }
/** Needs no token. */
const open: Record<string, string[]>[] = []

const pathText = (description: string) => z.string().openapi({ param: { description } })
const sessionParams = z.object({ id: pathText("session id") })
const linkParams = z.object({ secret: pathText("of the link") })

const TokenInfo = ApiToken.omit({ tokenHash: true })
const text = (type: string, description: string) => ({ description, content: { [type]: { schema: z.string() } } })

const routes = [
  createRoute({
    method: "get",
    path: "/api/health",
    operationId: "health",
    summary: "Whether the service answers, and its version.",
    security: open,
    responses: {
      200: jsonResponse("it does", z.object({ status: z.literal("ok"), version: z.string() })),
      421: refused("the service is asked by a name that is not its own"),
    },
  }),
  createRoute({
    method: "get",
    path: "/api/export/{id}",
    operationId: "exportOwnSession",
    summary: "The whole tree around a session as one file. Takes the service's token only.",
    request: { params: sessionParams, query: exportQuery },
    responses: { 200: jsonResponse("the file", ExportedFile), ...invalid, ...signedOut, ...missing },
  }),
  createRoute({
    method: "post",
    path: "/api/import",
    operationId: "importOwnSession",
    summary: "Brings a tree from a file of up to 64 MiB. Takes the service's token only.",
    request: {
      query: importQuery,
      body: { required: true, content: { "application/octet-stream": { schema: z.string() } } },
    },
    responses: {
      201: jsonResponse("it is there", ImportReport),
      ...invalid,
      ...signedOut,
      ...missing,
      409: refused("it is there already"),
      413: refused("the file is larger than 64 MiB"),
    },
  }),
  createRoute({
    method: "get",
    path: "/api/tokens",
    operationId: "listTokens",
    summary: "Tokens for programs, never their secrets. Takes the service's token only.",
    request: { query: z.object({ tenant: queryParameter({ type: "string" }, "only those of this tenant") }) },
    responses: { 200: jsonResponse("the tokens", z.object({ tokens: z.array(TokenInfo) })), ...signedOut },
  }),
  createRoute({
    method: "post",
    path: "/api/tokens",
    operationId: "createToken",
    summary: "Makes a token for programs, which is shown only now. Takes the service's token only.",
    request: { body: jsonBody(z.object({ tenant: z.string().default("local"), name: z.string().min(1).max(200) })) },
    responses: { 201: jsonResponse("the token", TokenInfo.extend({ token: z.string() })), ...invalid, ...signedOut },
  }),
  createRoute({
    method: "post",
    path: "/api/tokens/revoke",
    operationId: "revokeToken",
    summary: "Ends a token. Takes the service's token only.",
    request: { body: jsonBody(z.object({ id: ApiTokenID })) },
    responses: { 200: jsonResponse("the token", TokenInfo), ...invalid, ...signedOut, ...missing },
  }),
  createRoute({
    method: "get",
    path: "/api/share/{secret}",
    operationId: "sharedTree",
    summary: "The tree of a link: sessions, todos and its summary.",
    security: open,
    request: { params: linkParams },
    responses: { 200: jsonResponse("the tree", z.looseObject({})), ...notOpen },
  }),
  createRoute({
    method: "get",
    path: "/api/share/{secret}/session/{sessionID}",
    operationId: "sharedMessages",
    summary: "A window of a transcript of a link, oldest first; the newest without an anchor.",
    security: open,
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
  createRoute({
    method: "get",
    path: "/api/share/{secret}/events",
    operationId: "sharedEvents",
    summary: "Server-sent events of the tree of a link; `revoked` is the last one.",
    security: open,
    request: {
      params: linkParams,
      query: z.object({ since: queryParameter({ type: "integer", minimum: 0 }, "a `seq`: what came after it") }),
    },
    responses: { 200: text("text/event-stream", "one event each"), ...notOpen },
  }),
]

/** Describes plain routes that programs use; what serves them stands beside their use cases. */
export function describePlainRoutes({ openAPIRegistry }: OpenAPIHono<SignedInEnv>): void {
  for (const route of routes) openAPIRegistry.registerPath(route)
}
