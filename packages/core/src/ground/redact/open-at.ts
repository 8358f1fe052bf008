import { openKind, openPrefix } from "./find-kinds.ts"
import { openPrivateKey, openPrivateKeyHead } from "./find-private-keys.ts"
import { flatten, openCodingAt } from "./flatten.ts"
import type { KnownValues } from "./known-values.ts"
import { lastWordAt } from "./last-word.ts"
import { openNamed } from "./open-named.ts"
import { unwrap } from "./unwrap.ts"

/** How far back a secret may begin that is not over: more than the longest of any kind. */
export const reach = 20_000
/** Of a text that own patterns are looked for in, the last line is held up to so many units. */
const longestLine = 2_000

/** From where on a text that grows may be the beginning of a secret that is not over; its length when nothing is. */
export function openAt(text: string, { known, hasPatterns }: { known: KnownValues; hasPatterns: boolean }): number {
  const offset = Math.max(0, text.length - reach)
  const tail = text.slice(offset)
  const complete = openCodingAt(tail)
  let open = complete
  const flat = flatten(tail.slice(0, complete))
  for (const view of [flat, ...unwrap(flat)]) {
    const starts = [openPrefix, openPrivateKeyHead, openPrivateKey, known.openAt].map((find) => find(view.text))
    // The end of a word tells what it is.
    starts.push(lastWordAt(view.text))
    starts.push(openKind(view)?.start ?? view.text.length, openNamed(view.text)?.secret ?? view.text.length)
    for (const start of starts) if (start < view.text.length) open = Math.min(open, view.from(start))
  }
  if (hasPatterns) open = Math.min(open, Math.max(tail.lastIndexOf("\n") + 1, tail.length - longestLine))
  return offset + open
}
