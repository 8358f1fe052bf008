import type { Capability } from "@docket/core/operations"
import { SessionID } from "@docket/core/schema"
import { type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi"
import type { SignedInEnv } from "../http/signed-in.ts"
import { jsonBody, jsonResponse } from "../v1/openapi-parts.ts"

const Answer = z.looseObject({}).openapi({ description: "as the types of @opencode-ai/sdk have it" })
const OpencodeRefusal = z.object({ name: z.string(), data: z.object({ message: z.string() }) })
const refused = (description: string) => jsonResponse(description, OpencodeRefusal)

const params = z.object({ id: z.string().openapi({ param: { description: "session id" } }) })
const directory = z.object({
  directory: z
    .string()
    .optional()
    .openapi({
      param: { description: "a directory in an open project, also as x-opencode-directory", required: false },
    }),
})
const Created = z.object({ parentID: SessionID.optional(), title: z.string().optional() })
const Prompted = z.object({
  parts: z.array(z.object({ type: z.literal("text"), text: z.string() })),
  agent: z.string().optional(),
})

function described(capability: Capability, operationId: string, route: Omit<RouteConfig, "responses" | "operationId">) {
  return {
    ...route,
    operationId,
    "x-capability": capability,
    responses: {
      200: jsonResponse("as OpenCode's server answers", Answer),
      400: refused("the request is not valid; says what is wrong"),
      401: refused("missing, malformed, unknown or revoked token"),
      403: refused("the role or the key may not do that; says who may"),
      404: refused("there is no such session, or no such open project"),
      429: refused("too many calls; `retry-after` says when to send the next"),
    },
  }
}

const at = (path: string) => `/opencode${path}`

const routes = [
  described("read", "opencodeAgents", {
    ...{ method: "get", path: at("/agent"), summary: "For OpenCode's clients: the agents." },
    request: { query: directory },
  }),
  described("read", "opencodeConfig", {
    ...{ method: "get", path: at("/config"), summary: "For OpenCode's clients: the configuration." },
    request: { query: directory },
  }),
  described("read", "opencodeConfigProviders", {
    ...{ method: "get", path: at("/config/providers"), summary: "For OpenCode's clients: the connected providers." },
    request: { query: directory },
  }),
  described("read", "opencodeProviders", {
    ...{ method: "get", path: at("/provider"), summary: "For OpenCode's clients: all providers." },
    request: { query: directory },
  }),
  described("read", "opencodeEvents", {
    ...{ method: "get", path: at("/event"), summary: "For OpenCode's clients: what happens, as server-sent events." },
    request: { query: directory },
  }),
  described("read", "opencodeSessions", {
    ...{ method: "get", path: at("/session"), summary: "For OpenCode's clients: the sessions, newest first." },
    request: { query: directory },
  }),
  described("read", "opencodeStatus", {
    ...{ method: "get", path: at("/session/status"), summary: "For OpenCode's clients: which sessions work." },
    request: { query: directory },
  }),
  described("prompt", "opencodeCreate", {
    ...{ method: "post", path: at("/session"), summary: "For OpenCode's clients: makes a session, or a child of one." },
    request: { query: directory, body: jsonBody(Created) },
  }),
  described("read", "opencodeSession", {
    ...{ method: "get", path: at("/session/{id}"), summary: "For OpenCode's clients: one session." },
    request: { params },
  }),
  described("read", "opencodeChildren", {
    ...{ method: "get", path: at("/session/{id}/children"), summary: "For OpenCode's clients: its children." },
    request: { params },
  }),
  described("read", "opencodeTodos", {
    ...{ method: "get", path: at("/session/{id}/todo"), summary: "For OpenCode's clients: its todo list." },
    request: { params },
  }),
  described("read", "opencodeMessages", {
    ...{ method: "get", path: at("/session/{id}/message"), summary: "For OpenCode's clients: its transcript." },
    request: { params },
  }),
  described("prompt", "opencodePrompt", {
    ...{
      method: "post",
      path: at("/session/{id}/message"),
      summary: "For OpenCode's clients: prompts, and answers at the end.",
    },
    request: { params, body: jsonBody(Prompted) },
  }),
  described("prompt", "opencodePromptAsync", {
    ...{
      method: "post",
      path: at("/session/{id}/prompt_async"),
      summary: "For OpenCode's clients: prompts, and answers at once.",
    },
    request: { params, body: jsonBody(Prompted) },
  }),
  described("prompt", "opencodeAbort", {
    ...{ method: "post", path: at("/session/{id}/abort"), summary: "For OpenCode's clients: stops a session." },
    request: { params },
  }),
] satisfies RouteConfig[]

/** Describes the routes for OpenCode's clients. */
export function describeOpencodeRoutes({ openAPIRegistry }: OpenAPIHono<SignedInEnv>): void {
  for (const route of routes) openAPIRegistry.registerPath(route)
}
