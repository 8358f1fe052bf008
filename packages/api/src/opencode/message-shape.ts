import type { Message, MessageError, MessageWithParts, Part, ToolPart } from "@docket/core/schema"
import { attachedHash, QuestionAnswer } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"
import { z } from "zod"
import { answerShape } from "./ask-shape.ts"

/** Where a session works, and the address at which the caller reaches the service. */
export interface ShapePlace {
  directory: string
  worktree: string
  origin: string
}

export function messageShape(message: Message, place: Pick<ShapePlace, "directory" | "worktree">) {
  const { id, sessionID, agent, model, variant } = message
  if (message.role === "user") {
    return {
      ...{ id, sessionID, role: "user" as const, agent, time: message.time },
      model: { ...model, ...(variant !== undefined && { variant }) },
      ...(message.system !== undefined && { system: message.system }),
    } satisfies Sdk.UserMessage
  }
  const { parentID, finish, error, summary, output, cost, tokens, time } = message
  return {
    ...{ id, sessionID, role: "assistant" as const, parentID, agent, mode: agent, cost, tokens },
    ...{ modelID: model.modelID, providerID: model.providerID },
    path: { cwd: place.directory, root: place.worktree },
    time: { created: time.created, ...(time.completed !== null && { completed: time.completed }) },
    ...(variant !== undefined && { variant }),
    ...(finish !== null && { finish }),
    ...(summary !== undefined && { summary }),
    ...(output !== undefined && { structured: output }),
    ...(error !== null && { error: errorShape(error, model.providerID) }),
  } satisfies Sdk.AssistantMessage
}

export function messageWithPartsShape({ info, parts }: MessageWithParts, place: ShapePlace) {
  return { info: messageShape(info, place), parts: parts.map((part) => partShape(part, place)) }
}

/** Errors that OpenCode has no name for keep their words under the name that comes nearest. */
export function errorShape(error: MessageError, providerID: string) {
  const { name, message } = error
  switch (name) {
    case "ProviderAuthError":
      return { name, data: { providerID, message } } satisfies Sdk.ProviderAuthError
    case "AbortedError":
    case "InterruptedError":
      return { name: "MessageAbortedError", data: { message } } satisfies Sdk.MessageAbortedError
    case "OutputLengthError":
      return { name: "MessageOutputLengthError", data: { message } } satisfies Sdk.MessageOutputLengthError
    case "OutputSchemaError":
      return { name: "StructuredOutputError", data: { message, retries: 2 } } satisfies Sdk.StructuredOutputError
    case "ContextOverflowError":
      return { name, data: { message } } satisfies Sdk.ContextOverflowError
    case "ContentFilterError":
      return { name, data: { message } } satisfies Sdk.ContentFilterError
    case "APIError":
    case "ProviderUnavailableError":
      return apiErrorShape(error)
    default:
      return { name: "UnknownError", data: { message } } satisfies Sdk.UnknownError
  }
}

function apiErrorShape({ message, statusCode, retryable }: MessageError) {
  const data = { message, isRetryable: retryable, ...(statusCode !== null && { statusCode }) }
  return { name: "APIError", data } satisfies Sdk.ApiError
}

export function partShape(part: Part, { origin }: Pick<ShapePlace, "origin">) {
  const { id, sessionID, messageID } = part
  const base = { id, sessionID, messageID }
  switch (part.type) {
    case "text": {
      const { type, text, synthetic, time } = part
      const times = time && { time: startEnd(time) }
      return { ...base, type, text, ...(synthetic !== undefined && { synthetic }), ...times } satisfies Sdk.TextPart
    }
    case "reasoning":
      return { ...base, type: part.type, text: part.text, time: startEnd(part.time) } satisfies Sdk.ReasoningPart
    case "tool":
      return { ...base, type: part.type, callID: part.callID, tool: part.tool, state: toolState(part, origin) }
    case "file":
      return { ...base, ...fileShape(part, { sessionID, origin }) } satisfies Sdk.FilePart
    case "step-start": {
      const { type, snapshot } = part
      return { ...base, type, ...(snapshot !== undefined && { snapshot }) } satisfies Sdk.StepStartPart
    }
    case "step-finish": {
      const { type, reason, cost, tokens, snapshot } = part
      const more = snapshot !== undefined && { snapshot }
      return { ...base, type, reason, cost, tokens, ...more } satisfies Sdk.StepFinishPart
    }
    case "patch":
      return { ...base, type: part.type, hash: part.hash, files: part.files } satisfies Sdk.PatchPart
    case "subtask": {
      const { type, prompt, description, agent, model, command } = part
      const more = { ...(model && { model }), ...(command !== undefined && { command }) }
      return { ...base, type, prompt, description, agent, ...more } satisfies Sdk.SubtaskPart
    }
    case "agent":
      return { ...base, type: part.type, name: part.name } satisfies Sdk.AgentPart
    case "retry": {
      const { type, attempt, error, time } = part
      return { ...base, type, attempt, error: apiErrorShape(error), time } satisfies Sdk.RetryPart
    }
    case "compaction":
      return { ...base, type: part.type, auto: part.auto } satisfies Sdk.CompactionPart
  }
}

function startEnd({ start, end }: { start: number; end: number | null }) {
  return { start, ...(end !== null && { end }) }
}

function toolState(part: ToolPart, origin: string) {
  const { id, sessionID, messageID, state } = part
  const input = objectOf(state.input)
  switch (state.status) {
    case "pending":
      return { status: state.status, input, raw: state.raw } satisfies Sdk.ToolStatePending
    case "running": {
      const { status, title, metadata, time } = state
      return { status, input, ...(title !== undefined && { title }), metadata, time } satisfies Sdk.ToolStateRunning
    }
    case "completed": {
      const { status, output, title, time, attachments = [] } = state
      const files = attachments.map((file, index) => ({
        ...{ id: `${id}_${index}`, sessionID, messageID },
        ...fileShape(file, { sessionID, origin }),
      }))
      return {
        ...{ status, input, output, title, metadata: metadataShape(part.tool, state.metadata) },
        time: { start: time.start, end: time.end, ...(time.compacted !== undefined && { compacted: time.compacted }) },
        ...(files.length > 0 && { attachments: files }),
      } satisfies Sdk.ToolStateCompleted
    }
    case "error": {
      const { status, error, metadata, time } = state
      return { status, input, error, metadata, time: { start: time.start, end: time.end } } satisfies Sdk.ToolStateError
    }
  }
}

const Answered = z.object({ answers: z.array(QuestionAnswer) })

/** Clients show the answers to a question as lists of words. */
function metadataShape(tool: string, metadata: Record<string, unknown>): Record<string, unknown> {
  const answered = tool === "question" ? Answered.safeParse(metadata) : null
  return answered?.success ? { ...metadata, answers: answered.data.answers.map(answerShape) } : metadata
}

/** What a model sent as arguments is not always an object. */
function objectOf(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : { input }
}

/** A kept content has an address of the service, which takes the same token. */
function fileShape(
  { mime, url, filename }: { mime: string; url: string; filename?: string | undefined },
  { sessionID, origin }: { sessionID: string; origin: string },
) {
  const hash = attachedHash(url)
  const address = hash === null ? url : `${origin}/api/attachment/${sessionID}/${hash}`
  return { type: "file" as const, mime, url: address, ...(filename !== undefined && { filename }) }
}
