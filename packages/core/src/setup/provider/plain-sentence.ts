/** Where the text of a JSON object or list begins. */
const jsonStart = /[{[]\s*(?:["{[\]}]|$)/
/** What a message says before it quotes what was received. */
const quotedNames = /[\s:;,.(-]*(?:\b(?:Value|Text|body|response|received)\b)?[\s:;,.(-]*$/i

/** The sentence in a provider's JSON error body; empty when it has none. */
export function sentenceOfBody(body: string): string {
  return jsonStart.exec(body)?.index === body.search(/\S/) ? sentenceInJSON(body) : ""
}

/**
 * An error's message as people can read it: JSON in it is replaced by the sentence that it holds, or left out, and so
 * are pages of HTML.
 */
export function plainSentence(message: string): string {
  const page = message.search(/<(?:!doctype|html|head|body)\b/i)
  const text = page < 0 ? message : message.slice(0, page)
  const start = jsonStart.exec(text)?.index
  if (start === undefined) return text.trim()
  const before = text.slice(0, start).replace(quotedNames, "")
  const inside = sentenceInJSON(text.slice(start))
  return before !== "" && inside !== "" ? `${before}: ${inside}` : before || inside
}

/** Also of text that was cut off, or that something follows. */
function sentenceInJSON(text: string): string {
  const parsed = parseJSON(text)
  if (parsed !== undefined) return sentenceOf(parsed)
  const quoted = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  const message = quoted === undefined ? undefined : parseJSON(quoted)
  return typeof message === "string" ? plainSentence(message) : ""
}

function sentenceOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(sentenceOf).find((sentence) => sentence !== "") ?? ""
  if (typeof value !== "object" || value === null) return ""
  // Any object may be read by key; the values stay unknown.
  const { message, error, detail } = value as { message?: unknown; error?: unknown; detail?: unknown }
  const text = [message, error, detail].find((candidate) => typeof candidate === "string" && candidate !== "")
  // Some providers hand on another's JSON as their message.
  return typeof text === "string" ? plainSentence(text) : sentenceOf(error) || sentenceOf(detail)
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
