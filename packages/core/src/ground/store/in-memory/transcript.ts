import type { Message, MessageWithParts, Part } from "../../schema/index.ts"
import type { TranscriptStore } from "../port/index.ts"
import { isCompactionSummary } from "../record/session.ts"
import type { Tables } from "./tables.ts"
import { firstNotBelow } from "./undo-log.ts"

export function inMemoryTranscript(tables: Tables): TranscriptStore {
  const partsOf = (messageID: string): Part[] =>
    (tables.messageParts.get(messageID) ?? []).flatMap((id) => tables.parts.get(id) ?? [])
  const withParts = (messageID: string): MessageWithParts[] => {
    const info = tables.messages.get(messageID)
    return info ? [{ info, parts: partsOf(messageID) }] : []
  }
  const messagesOf = (sessionID: string): Message[] =>
    (tables.sessionMessages.get(sessionID) ?? []).flatMap((id) => tables.messages.get(id) ?? [])

  return {
    async page(query) {
      const ids = tables.sessionMessages.get(query.sessionID) ?? []
      const around =
        query.around === undefined ? undefined : (tables.parts.get(query.around)?.messageID ?? query.around)
      const [from, to] = pageBounds(ids, { ...query, around: around?.startsWith("msg_") ? around : undefined })
      const page = ids.slice(from, to)
      return {
        items: page.flatMap(withParts),
        before: from > 0 ? (page[0] ?? null) : null,
        after: to < ids.length ? (page.at(-1) ?? null) : null,
      }
    },
    async sinceCompaction(sessionID) {
      const ids = tables.sessionMessages.get(sessionID) ?? []
      const start = ids.findLastIndex((id) => {
        const message = tables.messages.get(id)
        return message !== undefined && isCompactionSummary(message)
      })
      return ids.slice(Math.max(start, 0)).flatMap(withParts)
    },
    part: async (partID) => tables.parts.get(partID) ?? null,
    named: async ({ messageIDs, partIDs }) => ({
      messages: [...new Set(messageIDs)].flatMap((id) => tables.messages.get(id) ?? []),
      parts: [...new Set(partIDs)].flatMap((id) => tables.parts.get(id) ?? []),
    }),
    openToolParts: async (sessionID) =>
      messagesOf(sessionID)
        .flatMap((message) => partsOf(message.id))
        .filter((part) => part.type === "tool" && (part.state.status === "pending" || part.state.status === "running")),
    openMessages: async (sessionID) =>
      messagesOf(sessionID).filter((message) => message.role === "assistant" && message.time.completed === null),
  }
}

interface Anchor {
  before?: string | undefined
  after?: string | undefined
  around?: string | undefined
  limit: number
}

/** Where a page begins and ends in an ascending list of ids. */
export function pageBounds(
  ids: readonly string[],
  { before, after, around, limit }: Anchor,
): [from: number, to: number] {
  if (around !== undefined) {
    const at = firstNotBelow(ids, around)
    const from = Math.max(0, at - Math.floor(limit / 2))
    return [from, Math.min(ids.length, at + Math.ceil(limit / 2))]
  }
  if (after !== undefined) {
    const at = firstNotBelow(ids, after)
    const from = ids[at] === after ? at + 1 : at
    return [from, Math.min(ids.length, from + limit)]
  }
  const to = before === undefined ? ids.length : firstNotBelow(ids, before)
  return [Math.max(0, to - limit), to]
}
