/**
 * Text that every provider takes: without NUL, and without halves of surrogate pairs, which are no valid JSON for
 * some of them. Texts come to be like that when a tool prints bytes or something cuts a string.
 */
export function sendableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes("\0") ? whole.replaceAll("\0", "\uFFFD") : whole
}

/** JSON with sendable texts only, keys included; the same object when nothing is wrong with it. */
export function sendableJson<T>(value: T): T {
  const json = JSON.stringify(value)
  if (json === undefined || !unfit.test(json)) return value
  // Replacing within texts leaves the shape as it was.
  return cleaned(value) as T
}

/**
 * How JSON.stringify writes NUL and lone surrogates. A backslash before it makes a false alarm, which costs nothing.
 */
const unfit = /\\u(?:0000|d[89a-f][0-9a-f]{2})/

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return sendableText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [sendableText(key), cleaned(item)]))
}
