import type { Message } from "../schema/index.ts"

/** A summary that replaces what came before it: one that was written to its end. A failed one replaces nothing. */
export function isCompactionSummary(message: Message): boolean {
  return (
    message.role === "assistant" &&
    message.summary === true &&
    message.error === null &&
    message.time.completed !== null
  )
}
