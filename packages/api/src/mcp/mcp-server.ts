import { isDocketError } from "@docket/core"
import type { PermissionRequest } from "@docket/core/schema"
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { z } from "zod"
import { requireAccess } from "../access/may.ts"
import { isRecorded } from "../audit/audit.ts"
import { type ClientQuestion, questionOf, replyIn, takeAnswer } from "./ask-client.ts"
import { type ClientSession, sessionOfDay } from "./client-session.ts"
import type { McpCall } from "./mcp-call.ts"
import { type McpTool, mcpTools } from "./mcp-tools.ts"

/** Who calls, and how. `client` is null where a request names no session. */
export interface McpCaller
  extends Pick<
    McpCall,
    "identity" | "isStillAllowed" | "agents" | "tenant" | "recorder" | "asker" | "origin" | "clock"
  > {
  client: ClientSession | null
  version: string
  log(text: string, error: unknown): void
}

const instructions =
  "Docket runs coding agents in the projects of its user. delegate starts a task and answers at once; task_result and gather wait. Tell your user the link of a task: there a person reads, judges and stops it."

/** Answers one request of the protocol, in any of its revisions. */
export async function serveMcp(
  caller: McpCaller,
  { request, message }: { request: Request; message: unknown },
): Promise<Response> {
  // Requests that are refused are told here too: those are no failures of Docket.
  const problems: Error[] = []
  const handler = createMcpHandler(({ era }) => createServer(caller, era === "modern"), {
    onerror: (error) => void problems.push(error),
  })
  const response = await handler.fetch(request, { parsedBody: message })
  if (response.status >= 500) for (const problem of problems) caller.log("an MCP request failed", problem)
  return response
}

function createServer(caller: McpCaller, isModern: boolean): McpServer {
  const server = new McpServer({ name: "docket", title: "Docket", version: caller.version }, { instructions })
  for (const tool of mcpTools) {
    const { name, description, input: inputSchema, audit, isDestructive = false } = tool
    const annotations = {
      readOnlyHint: audit === null,
      destructiveHint: isDestructive,
      openWorldHint: name === "delegate",
    }
    server.registerTool(name, { description, inputSchema, annotations }, (input, context) =>
      answer({ caller, server, isModern }, tool, { input, context }),
    )
  }
  return server
}

/** A question that the next request of the client answers. */
class AskedClient extends Error {
  readonly requestID: string
  readonly question: ClientQuestion
  constructor(requestID: string, question: ClientQuestion) {
    super("the client's user is asked")
    this.requestID = requestID
    this.question = question
  }
}

interface Served {
  caller: McpCaller
  server: McpServer
  isModern: boolean
}

async function answer(
  served: Served,
  tool: McpTool,
  { input, context }: { input: unknown; context: ServerContext },
): Promise<CallToolResult | InputRequiredResult> {
  const { caller } = served
  const { identity, recorder } = caller
  const called = `mcp ${tool.name}`
  const at = recorder?.now() ?? 0
  try {
    requireAccess(identity, tool.capability)
    const call = callOf(served, context)
    await takeAnswers(call, context)
    // The SDK has parsed the input by the tool's own schema.
    const { text, data } = await tool.run(call, input as never)
    if (tool.audit !== null && isRecorded(tool.audit))
      await recorder?.done(tool.audit, { call: called, at, input, answer: data })
    return { content: [{ type: "text", text }], structuredContent: data }
  } catch (error) {
    if (error instanceof AskedClient)
      return inputRequired({ inputRequests: { [error.requestID]: inputRequired.elicit(error.question) } })
    if (isDocketError(error) && error.code === "forbidden") await recorder?.refused(tool.capability, called)
    return failure(error, caller)
  }
}

/** A failure is an answer that the client's model can act on. */
function failure(error: unknown, { log }: Pick<McpCaller, "log">): CallToolResult {
  const isExpected = isDocketError(error) || error instanceof z.core.$ZodError
  if (!isExpected) log("a tool for MCP clients failed", error)
  const text = !isExpected
    ? "Docket failed. Its log says more."
    : error instanceof z.core.$ZodError
      ? z.prettifyError(error)
      : error.message
  return { content: [{ type: "text", text }], isError: true }
}

/** What newer clients say of themselves in each request. */
const Envelope = z.object({
  [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }).optional().catch(undefined),
  [CLIENT_CAPABILITIES_META_KEY]: z
    .object({ elicitation: z.looseObject({}).optional() })
    .optional()
    .catch(undefined),
})

function callOf({ caller, server, isModern }: Served, context: ServerContext): McpCall {
  const { mcpReq } = context
  const { envelope, _meta } = mcpReq
  const said = Envelope.parse(envelope ?? {})
  const name = said[CLIENT_INFO_META_KEY]?.name
  const elicits = said[CLIENT_CAPABILITIES_META_KEY]?.elicitation !== undefined
  const client = caller.client ?? sessionOfDay(name, { now: caller.clock(), elicits })
  let rounds = 0
  return {
    ...caller,
    client,
    signal: mcpReq.signal,
    async progress(message) {
      const progressToken = _meta?.progressToken
      rounds += 1
      if (progressToken === undefined) return
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: rounds, message } })
    },
    async ask(request: PermissionRequest) {
      const question = client.elicits ? questionOf(request) : null
      if (question === null) return false
      if (isModern) throw new AskedClient(request.id, question)
      // Sent with an id of its own: whichever node gets the answer knows which request it is for.
      const message = { jsonrpc: "2.0" as const, id: request.id, method: "elicitation/create", params: { ...question } }
      await server.server.transport?.send(message, { relatedRequestId: mcpReq.id })
      return true
    },
  }
}

/** The answers that come with a repeated request. A user who did not answer is not asked again by this call. */
async function takeAnswers(call: McpCall, { mcpReq }: ServerContext): Promise<void> {
  for (const [requestID, result] of Object.entries(mcpReq.inputResponses ?? {})) {
    const reply = replyIn(result)
    if (reply === null) call.ask = async () => false
    await takeAnswer(call, { requestID, reply })
  }
}
