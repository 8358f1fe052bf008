import type { MessageWithParts } from "@docket/core/schema"

/** Whether `place` is the id of this message or of one of its parts. */
export function holdsPlace({ info, parts }: MessageWithParts, place: string): boolean {
  return info.id === place || parts.some((part) => part.id === place)
}
