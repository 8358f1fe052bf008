import type { ConfigEntry } from "./config-report.ts"

/** Characters of a value that are shown. */
const shownLength = 200
/** And of what follows in a longer one, for those who want to read on. */
const restLength = 20_000

/** A text as an entry shows it: its beginning, and what follows. */
export function shownText(text: string): Pick<ConfigEntry, "value" | "rest"> {
  if (text.length <= shownLength) return { value: text, rest: null }
  const rest = text.slice(shownLength, shownLength + restLength)
  return { value: `${text.slice(0, shownLength)}…`, rest: text.length > shownLength + restLength ? `${rest}…` : rest }
}
