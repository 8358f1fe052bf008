import type { MessageWithParts, Part } from "@docket/core/schema"

/** The id of a message created at this time (epoch ms), to load the messages around that time. */
export function messageIDAt(time: number): string {
  return `msg_${Math.max(0, Math.round(time)).toString(16).padStart(12, "0")}${"0".repeat(14)}`
}

/** Creation time of a message (epoch ms), from the start of its id. */
export function messageTime(id: string): number {
  return Number.parseInt(id.slice(4, 16), 16)
}

/**
 * The part that a session was working on at a time (epoch ms): the newest one started by then; null for an empty page.
 */
export function partAt(messages: readonly MessageWithParts[], time: number): Part | null {
  const parts = messages.flatMap(({ info, parts }) =>
    parts.filter(isShown).map((part) => ({ part, at: beginOf(part) ?? info.time.created })),
  )
  return parts.findLast(({ at }) => at <= time)?.part ?? parts[0]?.part ?? null
}

/** The first part newer than this one, or else the newest part; null for an empty page. Ids ascend. */
export function partAfter(messages: readonly MessageWithParts[], partID: string): Part | null {
  const parts = messages.flatMap((message) => message.parts.filter(isShown))
  return parts.find(({ id }) => id > partID) ?? parts.at(-1) ?? null
}

/** Whether the transcript has a row for the part. */
function isShown({ type }: Part): boolean {
  return type === "text" || type === "reasoning" || type === "tool" || type === "subtask" || type === "file"
}

/** Start time of a part (epoch ms); null when it is not stored. */
export function beginOf(part: Part): number | null {
  if (part.type === "tool") return part.state.status === "pending" ? null : part.state.time.start
  if (part.type === "text" || part.type === "reasoning") return part.time?.start ?? null
  return null
}
