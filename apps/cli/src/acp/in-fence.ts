/** A text that is no Markdown, for a reader that takes it for Markdown: its fence is longer than any in it. */
export function inFence(text: string): string {
  const longest = Array.from(text.matchAll(/`+/g)).reduce((most, [run]) => Math.max(most, run.length), 2)
  const fence = "`".repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
