import type { ConfigEntry } from "@docket/core"

/** Lines of a value that are shown before it is expanded. */
const shownLines = 6

/** A value for the list: its beginning, and the whole value if it is longer. */
export function clipValue({ value, rest }: Pick<ConfigEntry, "value" | "rest">): {
  begin: string
  whole: string | null
} {
  // A value with a `rest` ends with an ellipsis in its place.
  const whole = rest === null ? value : value.slice(0, -"…".length) + rest
  const lines = value.split("\n")
  const begin = lines.length > shownLines ? `${lines.slice(0, shownLines).join("\n")}\n…` : value
  return { begin, whole: begin === whole ? null : whole }
}
