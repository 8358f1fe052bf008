/**
 * Every name that others read: of spans, attributes and metrics. Those of `gen_ai` and `mcp` follow the semantic
 * conventions of OpenTelemetry for generative AI, which may still change; the others are Docket's own.
 */

/** What spans are called. `chat` and the like come first, then what they are about. */
export const spanName = {
  turn: (agent: string) => joined("invoke_agent", agent),
  queue: "docket.turn.queue",
  model: (model: string) => joined("chat", model),
  call: (tool: string) => joined("execute_tool", tool),
  mcp: (tool: string) => joined("tools/call", tool),
  permission: "docket.permission.wait",
} as const

function joined(operation: string, about: string): string {
  return about === "" ? operation : `${operation} ${about}`
}

export const attribute = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  requestModel: "gen_ai.request.model",
  maxTokens: "gen_ai.request.max_tokens",
  temperature: "gen_ai.request.temperature",
  stream: "gen_ai.request.stream",
  responseModel: "gen_ai.response.model",
  responseID: "gen_ai.response.id",
  finishReasons: "gen_ai.response.finish_reasons",
  timeToFirstChunk: "gen_ai.response.time_to_first_chunk",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cacheReadTokens: "gen_ai.usage.cache_read.input_tokens",
  cacheCreationTokens: "gen_ai.usage.cache_creation.input_tokens",
  reasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  tokenType: "gen_ai.token.type",
  agentName: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCallID: "gen_ai.tool.call.id",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  systemInstructions: "gen_ai.system_instructions",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  mcpMethod: "mcp.method.name",
  mcpSession: "mcp.session.id",
  mcpProtocol: "mcp.protocol.version",
  transport: "network.transport",
  errorType: "error.type",
  exceptionType: "exception.type",
  exceptionMessage: "exception.message",
  exceptionStack: "exception.stacktrace",
  mcpServer: "docket.mcp.server",
  permission: "docket.permission.name",
  answer: "docket.permission.answer",
  session: "docket.session.id",
  turn: "docket.turn.id",
  status: "docket.turn.status",
  attempt: "docket.turn.attempt",
  isChild: "docket.turn.is_child",
  role: "docket.node.role",
  waitsFor: "docket.waits_for",
} as const

/** The event of a span whose work is late. */
export const lateEvent = "late"

export interface MetricName {
  name: string
  unit: string
  description: string
  kind: "counter" | "gauge" | "histogram"
  /** Of a histogram: the upper bounds of its buckets. */
  buckets?: number[]
}

/** s. The bounds that the conventions give. */
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
/** s. The bounds that the conventions give for MCP; tools and queues take as long. */
const longSeconds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
const tokens = Array.from({ length: 14 }, (_, power) => 4 ** power)

export const metric = {
  tokenUsage: {
    ...{ name: "gen_ai.client.token.usage", unit: "{token}", kind: "histogram", buckets: tokens },
    description: "Tokens of one call of a model, by type.",
  },
  modelDuration: {
    ...{ name: "gen_ai.client.operation.duration", unit: "s", kind: "histogram", buckets: seconds },
    description: "How long calls of models take.",
  },
  firstChunk: {
    ...{ name: "gen_ai.client.operation.time_to_first_chunk", unit: "s", kind: "histogram", buckets: seconds },
    description: "How long models take until the first piece of an answer.",
  },
  toolDuration: {
    ...{ name: "gen_ai.execute_tool.duration", unit: "s", kind: "histogram", buckets: longSeconds },
    description: "How long calls of tools take, with what they wait for.",
  },
  mcpDuration: {
    ...{ name: "mcp.client.operation.duration", unit: "s", kind: "histogram", buckets: longSeconds },
    description: "How long MCP servers take to answer a call.",
  },
  turns: {
    ...{ name: "docket.turns", unit: "{turn}", kind: "counter" },
    description: "Turns that ended, by how they ended.",
  },
  queueWait: {
    ...{ name: "docket.queue.wait", unit: "s", kind: "histogram", buckets: longSeconds },
    description: "How long prompts wait until their turn begins.",
  },
  readers: {
    ...{ name: "docket.feed.readers", unit: "{reader}", kind: "gauge" },
    description: "Readers of events now: pages, editors and programs.",
  },
  takeovers: {
    ...{ name: "docket.takeovers", unit: "{turn}", kind: "counter" },
    description: "Turns that went on after the process that ran them had ended.",
  },
} as const satisfies Record<string, MetricName>
