/** Matches the start of a JSON object or list. */
const jsonStart = /[{[]\s*(?:["{[\]}]|$)/
/** Matches the words before quoted content. */
const quotedNames = /[\s:;,.(-]*(?:\b(?:Value|Text|body|response|received)\b)?[\s:;,.(-]*$/i

/** The sentence in a provider's JSON error body; empty when there is none. */
export function sentenceOfBody(body: string): string {
  return jsonStart.exec(body)?.index === body.search(/\S/) ? sentenceInJSON(body) : ""
}

/** Makes an error message readable: JSON is replaced by the sentence in it or removed, and HTML pages are removed. */
export function plainSentence(message: string): string {
  const page = message.search(/<(?:!doctype|html|head|body)\b/i)
  const text = page < 0 ? message : message.slice(0, page)
  const start = jsonStart.exec(text)?.index
  if (start === undefined) return text.trim()
  const before = text.slice(0, start).replace(quotedNames, "")
  const inside = sentenceInJSON(text.slice(start))
  return before !== "" && inside !== "" ? `${before}: ${inside}` : before || inside
}

/** Also works when the JSON is cut or followed by text. */
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
  // Some providers pass on another provider's JSON as their message.
  return typeof text === "string" ? plainSentence(text) : sentenceOf(error) || sentenceOf(detail)
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
