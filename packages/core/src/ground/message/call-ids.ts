import type { LanguageModelV4Message } from "@ai-sdk/provider"

/**
 * An answer and its results with ids that no call before has. Weak models count their calls from the start in each
 * answer; such a call goes by the id of its part, which stays the same for ever.
 *
 * @param partIDs the parts behind the calls, in their order
 * @param seen ids of the calls so far; those of these calls are added
 */
export function uniqueCallIDs(
  messages: LanguageModelV4Message[],
  partIDs: string[],
  seen: Set<string>,
): LanguageModelV4Message[] {
  const calls = messages.flatMap(callIDsOf)
  const ids = calls.map((callID, index) => {
    const id = seen.has(callID) ? (partIDs[index] ?? callID) : callID
    seen.add(id)
    return id
  })
  if (ids.every((id, index) => id === calls[index])) return messages
  return messages.map((message) => renamed(message, ids))
}

export function callIDsOf(message: LanguageModelV4Message): string[] {
  if (message.role !== "assistant") return []
  return message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))
}

/** Calls and results stand in the same order. */
function renamed(message: LanguageModelV4Message, ids: string[]): LanguageModelV4Message {
  let next = 0
  const named = <T extends { toolCallId: string }>(part: T): T => ({
    ...part,
    toolCallId: ids[next++] ?? part.toolCallId,
  })
  if (message.role === "assistant") {
    return { ...message, content: message.content.map((part) => (part.type === "tool-call" ? named(part) : part)) }
  }
  if (message.role !== "tool") return message
  return { ...message, content: message.content.map((part) => (part.type === "tool-result" ? named(part) : part)) }
}
