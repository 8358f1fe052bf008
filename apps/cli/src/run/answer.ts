import type { FeedItem } from "@docket/core/schema"

export interface Answer {
  handle(item: FeedItem): void
  /** The newest answer of the session: its text parts joined by a blank line. Summaries do not count. */
  text(): string
}

/** Collects the answer of the session `sessionID` from the events of the tree. */
export function createAnswer(sessionID: string): Answer {
  /**
   * Messages that are no answer: prompts and summaries. They are remembered, because after a reconnect a message may
   * arrive before or after its parts.
   */
  const leftOut = new Set<string>()
  const texts = new Map<string, Map<string, string>>()
  let newest: string | null = null

  function put(messageID: string, partID: string, change: (old: string) => string): void {
    if (leftOut.has(messageID)) return
    const parts = texts.get(messageID) ?? new Map<string, string>()
    parts.set(partID, change(parts.get(partID) ?? ""))
    texts.set(messageID, parts)
    newest = messageID
  }

  function leaveOut(messageID: string): void {
    leftOut.add(messageID)
    texts.delete(messageID)
    if (newest === messageID) newest = [...texts.keys()].at(-1) ?? null
  }

  return {
    handle(item) {
      if (item.type === "message.updated" && item.properties.info.sessionID === sessionID) {
        const { info } = item.properties
        if (info.role === "user" || info.summary) leaveOut(info.id)
      } else if (item.type === "message.part.updated" && item.properties.part.sessionID === sessionID) {
        const { part } = item.properties
        if (part.type === "text") put(part.messageID, part.id, () => part.text)
      } else if (item.type === "message.part.delta") {
        const { messageID, partID, offset, text } = item.properties
        if (texts.get(messageID)?.has(partID)) put(messageID, partID, (old) => old.slice(0, offset) + text)
      }
    },
    text: () => (newest === null ? "" : [...(texts.get(newest)?.values() ?? [])].join("\n\n").trim()),
  }
}
