/** Most levels of nesting in arguments and answers of models. */
export const maxNesting = 200

/**
 * Parses JSON text from a model; undefined when it is invalid or nests deeper than `maxNesting`. Deeper values would
 * overflow the stack when they are walked, stored or compared.
 */
export function parseJson(text: string): unknown {
  if (nesting(text) > maxNesting) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The most brackets open at once, outside strings. */
export function nesting(text: string): number {
  let open = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === "\\") at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === "[" || char === "{") deepest = Math.max(deepest, ++open)
    else if (char === "]" || char === "}") open--
  }
  return deepest
}
