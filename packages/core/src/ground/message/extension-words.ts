import { quoteFrames } from "./quote-frames.ts"

/** What an extension says to the agent. */
export interface ExtensionText {
  /** Who says it, in words: `hook .claude/settings.json`. */
  from: string
  text: string
}

/** What the model reads. The text can neither end the mark around it nor pass for words of a person. */
export function extensionWords(said: ExtensionText): string {
  return `<system-reminder>${quoteFrames(plainExtensionWords(said))}</system-reminder>`
}

export function plainExtensionWords({ from, text }: ExtensionText): string {
  return `${from} says:\n${text}`
}

/** The result of a call with what extensions say of it. */
export function withExtensionWords(text: string, said: readonly ExtensionText[]): string {
  return [text, ...said.map(extensionWords)].join("\n\n")
}

/** The same result without that. A text that does not end with just these words stays as it is. */
export function withoutExtensionWords(text: string, said: readonly ExtensionText[]): string {
  const end = withExtensionWords("", said)
  return text.endsWith(end) ? text.slice(0, text.length - end.length) : text
}
