import { isDocketError } from "@docket/core"
import type { SpanFacts, SpanKind, SpanNotes } from "@docket/core/trace"
import { type Attributes, SpanKind as Direction } from "@opentelemetry/api"
import { attribute, spanName } from "./names.ts"

export interface DescribedSpan {
  name: string
  direction: Direction
  attributes: Attributes
}

/** A span as others read it when it begins. */
export const describeSpan: { [Kind in SpanKind]: (facts: SpanFacts[Kind]) => DescribedSpan } = {
  turn: (facts) => ({
    name: spanName.turn(facts.agent),
    direction: Direction.INTERNAL,
    attributes: {
      [attribute.operation]: "invoke_agent",
      ...(facts.agent !== "" && { [attribute.agentName]: facts.agent }),
      [attribute.conversation]: facts.rootID,
      [attribute.session]: facts.sessionID,
      [attribute.turn]: facts.turnID,
      [attribute.attempt]: facts.attempt,
      [attribute.isChild]: facts.sessionID !== facts.rootID,
    },
  }),
  queue: () => ({ name: spanName.queue, direction: Direction.INTERNAL, attributes: {} }),
  model: (facts) => ({
    name: spanName.model(facts.model),
    direction: Direction.CLIENT,
    attributes: {
      [attribute.operation]: "chat",
      [attribute.provider]: facts.provider,
      [attribute.requestModel]: facts.model,
      [attribute.stream]: true,
      ...(facts.maxTokens !== undefined && { [attribute.maxTokens]: facts.maxTokens }),
      ...(facts.temperature !== undefined && { [attribute.temperature]: facts.temperature }),
    },
  }),
  call: (facts) => ({
    name: spanName.call(facts.tool),
    direction: Direction.INTERNAL,
    attributes: {
      [attribute.operation]: "execute_tool",
      [attribute.toolName]: facts.tool,
      [attribute.toolType]: facts.isOwn ? "function" : "extension",
      [attribute.toolCallID]: facts.callID,
    },
  }),
  mcp: (facts) => ({
    name: spanName.mcp(facts.tool),
    direction: Direction.CLIENT,
    attributes: {
      [attribute.mcpMethod]: "tools/call",
      [attribute.operation]: "execute_tool",
      [attribute.toolName]: facts.tool,
      [attribute.mcpServer]: facts.server,
      [attribute.transport]: facts.isRemote ? "tcp" : "pipe",
    },
  }),
  permission: (facts) => ({
    name: spanName.permission,
    direction: Direction.INTERNAL,
    attributes: { [attribute.permission]: facts.permission },
  }),
}

/** What becomes known later, as attributes. */
export const describeNotes: { [Kind in SpanKind]: (notes: Partial<SpanNotes[Kind]>) => Attributes } = {
  turn: (notes) => ({
    ...(notes.agent !== undefined && { [attribute.agentName]: notes.agent }),
    ...(notes.model !== undefined && { [attribute.requestModel]: notes.model }),
    ...(notes.provider !== undefined && { [attribute.provider]: notes.provider }),
    ...(notes.status !== undefined && { [attribute.status]: notes.status }),
  }),
  queue: () => ({}),
  model: ({ firstChunkMs, responseID, responseModel, finish, usage }) => ({
    ...(firstChunkMs !== undefined && { [attribute.timeToFirstChunk]: firstChunkMs / 1_000 }),
    ...(responseID !== undefined && { [attribute.responseID]: responseID }),
    ...(responseModel !== undefined && { [attribute.responseModel]: responseModel }),
    ...(finish !== undefined && { [attribute.finishReasons]: [finish] }),
    ...(usage !== undefined && {
      [attribute.inputTokens]: usage.input + usage.cache.read + usage.cache.write,
      [attribute.outputTokens]: usage.output + usage.reasoning,
      [attribute.cacheReadTokens]: usage.cache.read,
      [attribute.cacheCreationTokens]: usage.cache.write,
      [attribute.reasoningTokens]: usage.reasoning,
    }),
  }),
  call: () => ({}),
  mcp: ({ sessionID, protocol }) => ({
    ...(sessionID !== undefined && { [attribute.mcpSession]: sessionID }),
    ...(protocol !== undefined && { [attribute.mcpProtocol]: protocol }),
  }),
  permission: ({ answer }) => (answer === undefined ? {} : { [attribute.answer]: answer }),
}

/** The kind of a failure, in a word: what it says may tell of the work. */
export function errorType(error: unknown): string {
  if (typeof error === "string") return error
  if (isDocketError(error)) return error.code
  return error instanceof Error ? error.name : "_OTHER"
}
