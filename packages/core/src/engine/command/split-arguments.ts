/** A quoted word, or a run of characters in which `"…"` keeps its spaces. An apostrophe inside a word is one. */
const word = /(?<=^|\s)'[^']*'(?=\s|$)|(?:"[^"]*"|\S)+/g

/** What was typed after a command's name, by words; quotes hold one together and are taken off. */
export function splitArguments(text: string): string[] {
  return (text.match(word) ?? []).map((found) =>
    found.length > 1 && found.startsWith("'") && found.endsWith("'")
      ? found.slice(1, -1)
      : found.replace(/"([^"]*)"/g, "$1"),
  )
}
