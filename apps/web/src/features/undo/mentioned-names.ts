/** The words after each `@` of a text, without trailing punctuation. */
export function mentionedNames(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/(?:^|\s)@(\S+)/g), (match) => (match[1] ?? "").replace(/[.,;:!?)]+$/, "")))
}
