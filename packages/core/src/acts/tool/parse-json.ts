/** Levels of nesting that arguments and answers of models may have. */
export const maxNesting = 200

/**
 * The value of a JSON text that a model wrote; undefined when it is none, or nests deeper than `maxNesting`: what is
 * deeper can be parsed but not walked, stored or compared without running out of stack.
 */
export function parseJson(text: string): unknown {
  if (nesting(text) > maxNesting) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How many brackets are open at most, outside strings. */
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
