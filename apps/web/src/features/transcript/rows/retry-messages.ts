import { formatCount } from "../../../ui/format-count.ts"
import type { Row } from "./row.ts"

/** Describes the failed attempts. `next` announces the next attempt; null when there is none. */
export function retryMessage({ parts, over }: Extract<Row, { kind: "retry" }>): {
  failed: string
  reason: string
  next: string | null
} {
  const last = parts.at(-1)
  const count = last?.attempt ?? parts.length
  return {
    failed: `${formatCount(count, "attempt")} failed`,
    reason: sentence(last?.error.message ?? ""),
    next: over ? null : `Attempt ${count + 1}`,
  }
}

/** Longer text does not fit the card (UTF-16 units). */
const longest = 400

/** Ends the text with punctuation: providers often omit it, and another sentence follows. */
function sentence(words: string): string {
  const text = words.trim()
  if (text.length > longest) return `${text.slice(0, longest)}…`
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
