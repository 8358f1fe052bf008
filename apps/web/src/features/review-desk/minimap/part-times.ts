import type { MessageWithParts, Part } from "@docket/core/schema"

/** The id that a message made at this moment (epoch ms) would have: what is asked for around it is from that time. */
export function messageIDAt(time: number): string {
  return `msg_${Math.max(0, Math.round(time)).toString(16).padStart(12, "0")}${"0".repeat(14)}`
}

/** When a message was made (epoch ms), which its id begins with. */
export function messageTime(id: string): number {
  return Number.parseInt(id.slice(4, 16), 16)
}

/** The part in which a session was at a moment (epoch ms): the newest that had begun; null for an empty page. */
export function partAt(messages: readonly MessageWithParts[], time: number): Part | null {
  const parts = messages.flatMap(({ info, parts }) =>
    parts.filter(isShown).map((part) => ({ part, at: beginOf(part) ?? info.time.created })),
  )
  return parts.findLast(({ at }) => at <= time)?.part ?? parts[0]?.part ?? null
}

/** The first part that is newer than this one; the newest that is not where none is, null for an empty page. Ids ascend. */
export function partAfter(messages: readonly MessageWithParts[], partID: string): Part | null {
  const parts = messages.flatMap((message) => message.parts.filter(isShown))
  return parts.find(({ id }) => id > partID) ?? parts.at(-1) ?? null
}

/** The transcript has rows for these. */
function isShown({ type }: Part): boolean {
  return type === "text" || type === "reasoning" || type === "tool" || type === "subtask" || type === "file"
}

/** When a part began (epoch ms); null when that is not kept. */
export function beginOf(part: Part): number | null {
  if (part.type === "tool") return part.state.status === "pending" ? null : part.state.time.start
  if (part.type === "text" || part.type === "reasoning") return part.time?.start ?? null
  return null
}
