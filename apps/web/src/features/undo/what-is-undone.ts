import type { SessionRevert } from "@docket/core/schema"
import { formatCount } from "../../ui/format-count.ts"

export function whatIsUndone({ partID, messages }: SessionRevert): string {
  const start = partID === undefined ? "The prompt" : "A step"
  return `${start} and all after it are undone (${formatCount(messages, "message")})`
}
