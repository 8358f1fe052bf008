import { createScanner, type Node, type ParseError, parseTree } from "jsonc-parser"

/** Levels of brackets. What walks through a tree calls itself for each, and the stack has an end. */
const mostLevels = 200

/** The error for a text with more levels, beside those of jsonc-parser. */
export const nestedTooDeeply = 1_000 as number as ParseError["error"]

/**
 * The syntax tree of a text, in which comments and trailing commas are fine. All reading of files that a project brings goes
 * through here: a text of brackets alone would end the service.
 */
export function readJsonTree(text: string, errors: ParseError[] = []): Node | undefined {
  const offset = whereTooDeep(text)
  if (offset === null) return parseTree(text, errors, { allowTrailingComma: true })
  errors.push({ error: nestedTooDeeply, offset, length: 1 })
  return undefined
}

function whereTooDeep(text: string): number | null {
  const scanner = createScanner(text, true)
  let levels = 0
  for (let kind = scanner.scan(); kind !== token.end; kind = scanner.scan()) {
    if (kind === token.openBrace || kind === token.openBracket) levels += 1
    if (kind === token.closeBrace || kind === token.closeBracket) levels -= 1
    if (levels > mostLevels) return scanner.getTokenOffset()
  }
  return null
}

/** As jsonc-parser numbers them: its own names are types only. */
const token = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, end: 17 } as const
