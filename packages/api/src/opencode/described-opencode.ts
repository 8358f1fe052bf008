import type { Capability } from "@docket/core/operations"
import { MessageID, ModelRef, PartID, SessionID } from "@docket/core/schema"
import { type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi"
import type { SignedInEnv } from "../http/signed-in.ts"
import { jsonBody, jsonResponse } from "../v1/openapi-parts.ts"

const Answer = z.looseObject({}).openapi({ description: "as the types of @opencode-ai/sdk have it" })
const OpencodeRefusal = z.object({ name: z.string(), data: z.object({ message: z.string() }) })
const refused = (description: string) => jsonResponse(description, OpencodeRefusal)

const text = (description: string) => z.string().openapi({ param: { description } })
const params = z.object({ id: text("session id") })
const ofRequest = z.object({ requestID: text("permission id") })
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
const Commanded = z.object({ command: z.string(), arguments: z.string() })
const ShellRun = z.object({ command: z.string(), agent: z.string().optional() })
const Forked = z.object({ messageID: MessageID.optional() })
const Reverted = z.object({ messageID: MessageID, partID: PartID.optional() })
const Reply = z.enum(["once", "always", "reject"])

type Described = [
  method: "get" | "post" | "put" | "patch" | "delete",
  path: string,
  capability: Capability,
  operationId: string,
  summary: string,
  request?: RouteConfig["request"],
]

const routes: Described[] = [
  ["get", "/global/health", "read", "opencodeHealth", "whether the service is there, and its version."],
  ["get", "/global/event", "read", "opencodeGlobalEvents", "what happens, with the directory of its project."],
  ["get", "/doc", "read", "opencodeDocument", "these routes in OpenAPI."],
  [
    "post",
    "/log",
    "prompt",
    "opencodeLog",
    "writes a line into the log of the service.",
    {
      body: jsonBody(
        z.object({ service: z.string(), level: z.enum(["debug", "info", "error", "warn"]), message: z.string() }),
      ),
    },
  ],
  [
    "put",
    "/auth/{providerID}",
    "providers.manage",
    "opencodeSaveKey",
    "keeps a key of a provider.",
    {
      params: z.object({ providerID: text("the provider") }),
      query: directory,
      body: jsonBody(z.object({ type: z.literal("api"), key: z.string() })),
    },
  ],
  [
    "delete",
    "/auth/{providerID}",
    "providers.manage",
    "opencodeRemoveKey",
    "forgets the key of a provider.",
    {
      params: z.object({ providerID: text("the provider") }),
      query: directory,
    },
  ],
  ["get", "/agent", "read", "opencodeAgents", "the agents.", { query: directory }],
  ["get", "/config", "read", "opencodeConfig", "the configuration.", { query: directory }],
  ["get", "/config/providers", "read", "opencodeConfigProviders", "the connected providers.", { query: directory }],
  ["get", "/provider", "read", "opencodeProviders", "all providers.", { query: directory }],
  ["get", "/project", "read", "opencodeProjects", "the open projects."],
  ["get", "/project/current", "read", "opencodeProject", "the project of a directory.", { query: directory }],
  ["get", "/path", "read", "opencodePath", "where a project is.", { query: directory }],
  ["get", "/vcs", "read", "opencodeVcs", "the branch that is checked out.", { query: directory }],
  ["get", "/command", "read", "opencodeCommands", "the commands for prompts.", { query: directory }],
  ["get", "/lsp", "settings.read", "opencodeLanguageServers", "the language servers that run.", { query: directory }],
  ["get", "/mcp", "settings.read", "opencodeMcp", "the MCP servers and their states.", { query: directory }],
  [
    "get",
    "/find",
    "prompt",
    "opencodeFind",
    "lines of a project that match a pattern.",
    {
      query: directory.extend({ pattern: text("a regular expression") }),
    },
  ],
  [
    "get",
    "/find/file",
    "prompt",
    "opencodeFindFile",
    "files of a project by name.",
    {
      query: directory.extend({ query: text("letters of the name, in order") }),
    },
  ],
  [
    "get",
    "/file",
    "prompt",
    "opencodeFiles",
    "what is in a directory of a project.",
    {
      query: directory.extend({ path: text("relative to the project's directory") }),
    },
  ],
  [
    "get",
    "/file/content",
    "prompt",
    "opencodeFileContent",
    "the content of a file of a project.",
    {
      query: directory.extend({ path: text("relative to the project's directory") }),
    },
  ],
  ["get", "/event", "read", "opencodeEvents", "what happens, as server-sent events.", { query: directory }],
  ["get", "/permission", "read", "opencodePermissions", "the requests that wait for leave.", { query: directory }],
  [
    "post",
    "/permission/{requestID}/reply",
    "answer",
    "opencodeReply",
    "answers a request for leave.",
    {
      params: ofRequest,
      body: jsonBody(z.object({ reply: Reply, message: z.string().optional() })),
    },
  ],
  [
    "post",
    "/session/{id}/permissions/{permissionID}",
    "answer",
    "opencodeRespond",
    "the same, for older clients.",
    {
      params: params.extend({ permissionID: text("permission id") }),
      body: jsonBody(z.object({ response: Reply })),
    },
  ],
  ["get", "/question", "read", "opencodeQuestions", "the questions that wait for an answer.", { query: directory }],
  [
    "post",
    "/question/{requestID}/reply",
    "answer",
    "opencodeAnswer",
    "answers a question.",
    {
      params: ofRequest,
      body: jsonBody(z.object({ answers: z.array(z.array(z.string())) })),
    },
  ],
  [
    "post",
    "/question/{requestID}/reject",
    "answer",
    "opencodeDismiss",
    "answers nothing to a question.",
    {
      params: ofRequest,
    },
  ],
  ["get", "/session", "read", "opencodeSessions", "the sessions, newest first.", { query: directory }],
  ["get", "/session/status", "read", "opencodeStatus", "which sessions work.", { query: directory }],
  [
    "post",
    "/session",
    "prompt",
    "opencodeCreate",
    "makes a session, or a child of one.",
    {
      query: directory,
      body: jsonBody(Created),
    },
  ],
  ["get", "/session/{id}", "read", "opencodeSession", "one session.", { params }],
  [
    "patch",
    "/session/{id}",
    "prompt",
    "opencodeUpdate",
    "renames or archives a session.",
    {
      params,
      body: jsonBody(z.object({ title: z.string().optional() })),
    },
  ],
  ["delete", "/session/{id}", "prompt", "opencodeRemove", "stops and removes a session.", { params }],
  ["get", "/session/{id}/children", "read", "opencodeChildren", "its children.", { params }],
  ["get", "/session/{id}/todo", "read", "opencodeTodos", "its todo list.", { params }],
  [
    "get",
    "/session/{id}/diff",
    "read",
    "opencodeDiff",
    "what it changed, or what one prompt led to.",
    {
      params,
      query: z.object({
        messageID: z
          .string()
          .optional()
          .openapi({ param: { description: "message id", required: false } }),
      }),
    },
  ],
  ["get", "/session/{id}/message", "read", "opencodeMessages", "its transcript.", { params }],
  [
    "get",
    "/session/{id}/message/{messageID}",
    "read",
    "opencodeMessage",
    "one message.",
    {
      params: params.extend({ messageID: text("message id") }),
    },
  ],
  [
    "post",
    "/session/{id}/message",
    "prompt",
    "opencodePrompt",
    "prompts, and answers at the end.",
    {
      params,
      body: jsonBody(Prompted),
    },
  ],
  [
    "post",
    "/session/{id}/prompt_async",
    "prompt",
    "opencodePromptAsync",
    "prompts, and answers at once.",
    {
      params,
      body: jsonBody(Prompted),
    },
  ],
  [
    "post",
    "/session/{id}/command",
    "prompt",
    "opencodeCommand",
    "prompts by a command.",
    {
      params,
      body: jsonBody(Commanded),
    },
  ],
  [
    "post",
    "/session/{id}/shell",
    "prompt",
    "opencodeShell",
    "runs a shell command under the agent's rules.",
    {
      params,
      body: jsonBody(ShellRun),
    },
  ],
  [
    "post",
    "/session/{id}/summarize",
    "prompt",
    "opencodeSummarize",
    "summarises it to make room.",
    {
      params,
      body: jsonBody(ModelRef),
    },
  ],
  ["post", "/session/{id}/init", "prompt", "opencodeInit", "writes AGENTS.md.", { params, body: jsonBody(ModelRef) }],
  [
    "post",
    "/session/{id}/fork",
    "prompt",
    "opencodeFork",
    "copies it up to a message.",
    {
      params,
      body: jsonBody(Forked),
    },
  ],
  [
    "post",
    "/session/{id}/revert",
    "undo",
    "opencodeRevert",
    "undoes it from a prompt on.",
    {
      params,
      body: jsonBody(Reverted),
    },
  ],
  ["post", "/session/{id}/unrevert", "undo", "opencodeUnrevert", "brings back what was undone.", { params }],
  [
    "post",
    "/session/{id}/share",
    "share",
    "opencodeShare",
    "makes a link, if nothing in it looks like a secret.",
    {
      params,
    },
  ],
  ["delete", "/session/{id}/share", "share", "opencodeUnshare", "ends its links.", { params }],
  ["post", "/session/{id}/abort", "prompt", "opencodeAbort", "stops a session.", { params }],
]

/** Describes the routes for OpenCode's clients. */
export function describeOpencodeRoutes({ openAPIRegistry }: OpenAPIHono<SignedInEnv>): void {
  for (const [method, path, capability, operationId, summary, request = {}] of routes)
    openAPIRegistry.registerPath({
      ...{ method, path: `/opencode${path}`, operationId, request, "x-capability": capability },
      summary: `For OpenCode's clients: ${summary}`,
      responses: {
        200: jsonResponse("as OpenCode's server answers", Answer),
        400: refused("the request is not valid; says what is wrong"),
        401: refused("missing, malformed, unknown or revoked token"),
        403: refused("the role or the key may not do that; says who may"),
        404: refused("there is no such session, or no such open project"),
        429: refused("too many calls; `retry-after` says when to send the next"),
      },
    })
}
