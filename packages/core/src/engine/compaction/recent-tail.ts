import { userEntry } from "../../ground/message/user-entry.ts"
import { shorten } from "./shorten.ts"
import { separator } from "./take-piece.ts"

/** With less room a summary does better alone (UTF-16 units). */
const leastRoom = 500

/**
 * The end of a conversation word for word, as far as `room` goes (UTF-16 units): its newest entries, and before them
 * what the user asked last (`prompt`) when that is older. Null when the room holds nothing of use.
 */
export function recentTail(entries: readonly string[], options: { prompt: string; room: number }): string | null {
  if (options.room < leastRoom) return null
  const asked = userEntry(options.prompt)
  const place = entries.lastIndexOf(asked)
  const shortened = shorten(asked, options.room / 2)
  let left = options.room - shortened.length
  const kept: string[] = []
  let reached = options.prompt === ""
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at] ?? ""
    if (at === place) {
      kept.unshift(shortened)
      reached = true
      continue
    }
    left -= separator.length + entry.length
    if (left < 0) break
    kept.unshift(entry)
  }
  if (!reached) kept.unshift(shortened)
  return kept.length === 0 ? null : kept.join(separator)
}
