import type { SessionUpdate, ToolCall, ToolCallContent } from "@agentclientprotocol/sdk/unstable"
import { commandsOf, noticeOf, plainResults } from "@docket/core/message"
import type { EventProperties, Message, Part } from "@docket/core/schema"
import { changedFields } from "./changed-fields.ts"
import { type TerminalState, terminalStep } from "./terminal-output.ts"
import { type CallPlace, toolCallOf } from "./tool-call.ts"
import { userContent } from "./user-content.ts"

/**
 * Turns the transcript of one session into updates for an editor. What was sent is not sent again, so the same messages
 * may come as often as they like: from a page, from events, and again after a lost connection.
 */
export interface TranscriptUpdates {
  message(info: Message): SessionUpdate[]
  part(part: Part): SessionUpdate[]
  delta(delta: EventProperties<"message.part.delta">): SessionUpdate[]
  /** The call of a part runs in a terminal of the editor, which draws its output. */
  inTerminal(partID: string, terminalId: string): SessionUpdate[]
  /** A call as it was last told, whole: a question about it has put its own words in its place. */
  callAgain(partID: string): SessionUpdate[]
  /**
   * The prompts that have come since the last call, or one of them, without those of the editor, which shows them by
   * itself.
   */
  prompts(isOfEditor: (messageID: string) => boolean, only?: string): SessionUpdate[]
}

type Chunk = "agent_message_chunk" | "agent_thought_chunk"

export function createTranscriptUpdates(place: CallPlace): TranscriptUpdates {
  /** `quiet`: a summary for the model, which nobody asked for. */
  const kinds = new Map<string, "prompt" | "answer" | "quiet">()
  /** Parts that came before their message, as happens after a lost connection. */
  const early = new Map<string, Map<string, Part>>()
  /** The parts of prompts that wait for `prompts`. */
  const waiting = new Map<string, Map<string, Part>>()
  const shownPrompts = new Set<string>()
  /** By text part, how it is sent and how much of it was sent (UTF-16 units). */
  const texts = new Map<string, { chunk: Chunk; length: number }>()
  const calls = new Map<string, ToolCall>()
  const terminals = new Map<string, TerminalState>()
  /** By part, the terminal of the editor in which its command runs. */
  const ownTerminals = new Map<string, string>()

  function write(partID: string, chunk: Chunk, offset: number, text: string): SessionUpdate[] {
    const { length } = texts.get(partID) ?? { length: 0 }
    const fresh = text.slice(Math.max(0, length - offset))
    // A gap: the whole part follows.
    if (offset > length || fresh === "") return []
    texts.set(partID, { chunk, length: offset + text.length })
    return [{ sessionUpdate: chunk, messageId: partID, content: { type: "text", text: fresh } }]
  }

  function call(part: Extract<Part, { type: "tool" }>): SessionUpdate[] {
    const last = calls.get(part.id)
    const ownTerminal = ownTerminals.get(part.id)
    const told = toolCallOf(part, place)
    const next = ownTerminal === undefined ? told : { ...told, content: terminalContent(ownTerminal) }
    const isOver = last?.status === "completed" || last?.status === "failed"
    // An event that is older than the page with the call.
    if (isOver && next.status !== "completed" && next.status !== "failed") return []
    const isDrawn = place.drawsTerminals && ownTerminal === undefined
    const step = isDrawn ? terminalStep(part, terminals.get(part.id) ?? null, place.root) : null
    const meta = step === null ? {} : { _meta: step.meta }
    calls.set(part.id, next)
    if (step !== null) terminals.set(part.id, step.state)
    if (last === undefined) return [{ sessionUpdate: "tool_call", ...next, ...meta }]
    const change = changedFields(last, next)
    if (change === null && step === null) return []
    return [{ sessionUpdate: "tool_call_update", toolCallId: part.id, ...change, ...meta }]
  }

  function answer(part: Part): SessionUpdate[] {
    switch (part.type) {
      case "text": {
        const commands = commandsOf(part)
        if (commands === null && noticeOf(part) !== null) return []
        if (commands?.state === "running") return []
        const shown = commands !== null && commands.results.length > 0 ? plainResults(commands) : part.text
        if (!texts.has(part.id)) texts.set(part.id, { chunk: "agent_message_chunk", length: 0 })
        return write(part.id, "agent_message_chunk", 0, shown)
      }
      case "reasoning":
        if (!texts.has(part.id)) texts.set(part.id, { chunk: "agent_thought_chunk", length: 0 })
        return write(part.id, "agent_thought_chunk", 0, part.text)
      case "tool":
        return call(part)
      default:
        return []
    }
  }

  function put(part: Part): SessionUpdate[] {
    const kind = kinds.get(part.messageID)
    if (kind === "quiet") return []
    if (kind === "answer") return answer(part)
    const held = kind === "prompt" ? waiting : early
    if (kind === "prompt" && shownPrompts.has(part.messageID)) return []
    const parts = held.get(part.messageID) ?? new Map<string, Part>()
    held.set(part.messageID, parts.set(part.id, part))
    return []
  }

  return {
    message(info) {
      kinds.set(info.id, info.role === "user" ? "prompt" : info.summary ? "quiet" : "answer")
      const parts = early.get(info.id) ?? new Map<string, Part>()
      early.delete(info.id)
      return [...parts.values()].flatMap(put)
    },
    part: put,
    delta({ partID, offset, text }) {
      const known = texts.get(partID)
      return known === undefined ? [] : write(partID, known.chunk, offset, text)
    },
    inTerminal(partID, terminalId) {
      ownTerminals.set(partID, terminalId)
      const content = terminalContent(terminalId)
      const last = calls.get(partID)
      if (last !== undefined) calls.set(partID, { ...last, content })
      return [{ sessionUpdate: "tool_call_update", toolCallId: partID, content }]
    },
    callAgain(partID) {
      const last = calls.get(partID)
      return last === undefined ? [] : [{ sessionUpdate: "tool_call_update", ...last }]
    },
    prompts(isOfEditor, only) {
      const come = [...waiting].filter(([messageID]) => only === undefined || messageID === only)
      return come.flatMap(([messageID, parts]) => {
        waiting.delete(messageID)
        shownPrompts.add(messageID)
        if (isOfEditor(messageID)) return []
        return [...parts.values()].flatMap((part): SessionUpdate[] => {
          const content = userContent(part)
          return content === null ? [] : [{ sessionUpdate: "user_message_chunk", messageId: messageID, content }]
        })
      })
    },
  }
}

function terminalContent(terminalId: string): ToolCallContent[] {
  return [{ type: "terminal", terminalId }]
}
