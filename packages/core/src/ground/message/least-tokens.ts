import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider"

type Message = LanguageModelV4Prompt[number]
type Content = Exclude<Message, { role: "system" }>["content"][number]
type Tools = NonNullable<LanguageModelV4CallOptions["tools"]>

/** The kinds of text that a character can belong to. No known tokenizer joins words, or a word with a number. */
const kind = { blank: 1, letter: 2, digit: 3, sign: 4 } as const

/** The kinds of characters of one UTF-16 unit that were met so far; 0 for units that were not met. */
const kinds = new Uint8Array(0x10000)

/** A piece counts one token per this many UTF-16 units, because long runs of one character are few tokens. */
const longestPiece = 16

/**
 * Tokens that a text has at the least, whichever model counts: a real count is up to twice as high. It is read by
 * character because a regular expression takes several times as long.
 */
export function leastTokens(text: string): number {
  let tokens = 0
  let current: number = kind.blank
  let units = 0
  let characters = 0
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    const next = kindOf(code)
    if (next !== current) {
      tokens += pieceTokens(current, units, characters)
      units = 0
      characters = 0
      current = next
    }
    const width = code > 0xffff ? 2 : 1
    units += width
    characters += 1
    at += width
  }
  return tokens + pieceTokens(current, units, characters)
}

function pieceTokens(of: number, units: number, characters: number): number {
  // A tokenizer may join one sign to the word behind it.
  if (of === kind.blank || (of === kind.sign && characters === 1)) return 0
  return Math.ceil(units / longestPiece)
}

function kindOf(code: number): number {
  const known = kinds[code]
  if (known !== undefined && known !== 0) return known
  const character = String.fromCodePoint(code)
  const found = /\p{L}/u.test(character)
    ? kind.letter
    : /\p{N}/u.test(character)
      ? kind.digit
      : /\s/.test(character)
        ? kind.blank
        : kind.sign
  kinds[code] = found
  return found
}

// The messages of a conversation are the same objects from step to step, and so are the tools' schemas.
const counted = new WeakMap<object, number>()

function countOnce(value: object, count: () => number): number {
  const known = counted.get(value)
  if (known !== undefined) return known
  const tokens = count()
  counted.set(value, tokens)
  return tokens
}

/** The `leastTokens` of the tool definitions in a request. */
export function leastToolTokens(tools: Tools): number {
  return tools.reduce((sum, tool) => {
    if (tool.type !== "function") return sum
    const { inputSchema, description = "" } = tool
    const schema = countOnce(inputSchema, () => leastTokens(JSON.stringify(inputSchema)))
    return sum + schema + descriptionTokens(inputSchema, description)
  }, 0)
}

const described = new WeakMap<object, { description: string; tokens: number }>()

/** The tokens of a tool's description, counted again only when it changes. */
function descriptionTokens(schema: object, description: string): number {
  const known = described.get(schema)
  if (known?.description === description) return known.tokens
  const tokens = leastTokens(description)
  described.set(schema, { description, tokens })
  return tokens
}

/** `leastTokens` of a message; files count nothing. */
export function leastMessageTokens(message: Message): number {
  return countOnce(message, () =>
    message.role === "system"
      ? leastTokens(message.content)
      : message.content.reduce((sum, part) => sum + partTokens(part), 0),
  )
}

function partTokens(part: Content): number {
  switch (part.type) {
    case "text":
      return leastTokens(part.text)
    case "tool-call":
      return leastTokens(JSON.stringify(part.input))
    case "tool-result":
      return "value" in part.output && typeof part.output.value === "string" ? leastTokens(part.output.value) : 0
    default:
      return 0
  }
}
