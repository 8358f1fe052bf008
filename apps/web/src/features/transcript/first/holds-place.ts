import type { MessageWithParts } from "@docket/core/schema"

/** Whether it is the message, or has the part, that a place names. */
export function holdsPlace({ info, parts }: MessageWithParts, place: string): boolean {
  return info.id === place || parts.some((part) => part.id === place)
}
