import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider"

type Message = LanguageModelV4Prompt[number]
type Content = Exclude<Message, { role: "system" }>["content"][number]
type Tools = NonNullable<LanguageModelV4CallOptions["tools"]>

/** No tokenizer in use joins words, or a word to a number; of signs it may join one to the word behind it. */
const pieces = /\p{L}+|\p{N}+|[^\s\p{L}\p{N}]{2,}/gu

/** Long runs of the same are few tokens (UTF-16 units of a piece). */
const longestPiece = 16

/** Tokens that a text has at the least, whichever model counts: a real count is up to twice as high. */
export function leastTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(pieces)) tokens += Math.ceil(piece.length / longestPiece)
  return tokens
}

// The messages of a conversation are the same objects from step to step, and so are the tools' schemas.
const counted = new WeakMap<object, number>()

function once(of: object, count: () => number): number {
  const known = counted.get(of)
  if (known !== undefined) return known
  const tokens = count()
  counted.set(of, tokens)
  return tokens
}

/** The same for all that a model is told of tools. */
export function leastToolTokens(tools: Tools): number {
  return tools.reduce((sum, tool) => {
    if (tool.type !== "function") return sum
    const { inputSchema, description = "" } = tool
    const schema = once(inputSchema, () => leastTokens(JSON.stringify(inputSchema)))
    return sum + schema + descriptionTokens(inputSchema, description)
  }, 0)
}

const described = new WeakMap<object, { description: string; tokens: number }>()

/** Counted again only where a tool's description changes. */
function descriptionTokens(schema: object, description: string): number {
  const known = described.get(schema)
  if (known?.description === description) return known.tokens
  const tokens = leastTokens(description)
  described.set(schema, { description, tokens })
  return tokens
}

/** The same for a message; files count nothing. */
export function leastMessageTokens(message: Message): number {
  return once(message, () =>
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
