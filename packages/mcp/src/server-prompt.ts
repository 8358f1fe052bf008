import { z } from "zod"
import { isPlain, plain } from "./plain-text.ts"

/** Bounds of what a server says of its prompts. */
const most = { arguments: 20, name: 100, text: 500 } as const

const Listed = z.object({
  name: z.string().min(1).max(most.name),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z
    .array(
      z.object({
        name: z.string().min(1).max(most.name),
        description: z.string().optional(),
        required: z.boolean().optional(),
      }),
    )
    .max(most.arguments)
    .optional(),
})

/** A prompt of a server, as it is kept. */
export const ServerPrompt = z.object({
  name: z.string(),
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), required: z.boolean() })),
})
export type ServerPrompt = z.infer<typeof ServerPrompt>

/** Null for one that cannot be read. */
export function readServerPrompt(value: unknown): ServerPrompt | null {
  const read = Listed.safeParse(value)
  if (!read.success) return null
  const { name, title, description, arguments: asked = [] } = read.data
  // Names go back to the server as they are.
  if (![name, ...asked.map((one) => one.name)].every(isPlain)) return null
  return {
    name,
    description: plain(description ?? title ?? name).slice(0, most.text),
    arguments: asked.map(({ name: key, required = false }) => ({ name: key, required })),
  }
}

/** What is typed after a command's name, in words. */
export function promptHint({ arguments: asked }: ServerPrompt): string | null {
  if (asked.length === 0) return null
  return asked.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(" ")
}

/**
 * The arguments in what was typed: `name=value`, or values in the order of the arguments; quotes hold words together. A
 * single argument is everything that was typed.
 * @returns or which arguments are missing
 */
export function readPromptArguments(
  { arguments: asked }: ServerPrompt,
  typed: string,
): { values: Record<string, string> } | { missing: string[] } {
  const values: Record<string, string> = {}
  const text = typed.trim()
  const [only, ...others] = asked
  if (only !== undefined && others.length === 0 && !text.startsWith(`${only.name}=`)) {
    if (text !== "") values[only.name] = unquoted(text)
  } else {
    for (const word of text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []) {
      const [, key = "", value = ""] = /^([\w.-]+)=(.*)$/s.exec(word) ?? []
      const named = asked.find(({ name }) => name === key)
      const next = named ?? asked.find(({ name }) => values[name] === undefined)
      if (next !== undefined) values[next.name] = unquoted(named === undefined ? word : value)
    }
  }
  const missing = asked.filter(({ name, required }) => required && values[name] === undefined)
  return missing.length === 0 ? { values } : { missing: missing.map(({ name }) => name) }
}

/** An argument that is being typed. */
export interface TypedArgument {
  name: string
  typed: string
  /** The arguments before it. */
  before: Record<string, string>
  /** Where the value begins in what was typed. */
  from: number
  /** How a value is written there; null for one that cannot be. */
  write(value: string): string | null
}

/** The argument at the end of what was typed after a prompt's name; null where no more are taken. */
export function argumentAt(prompt: ServerPrompt, typed: string): TypedArgument | null {
  const { arguments: asked } = prompt
  const [only, ...others] = asked
  if (only !== undefined && others.length === 0 && !typed.startsWith(`${only.name}=`))
    return { name: only.name, typed, before: {}, from: 0, write: (value) => value }
  // The last word may have a quote that is still open.
  const last = [...typed.matchAll(/(?:[^\s"']|"[^"]*(?:"|$)|'[^']*(?:'|$))+/g)].at(-1)
  const word = last !== undefined && last.index + last[0].length === typed.length ? last[0] : ""
  const start = typed.length - word.length
  const [, key = "", value = ""] = /^([\w.-]+)=(.*)$/s.exec(word) ?? []
  const named = asked.find(({ name }) => name === key)
  const read = readPromptArguments(
    { ...prompt, arguments: asked.map((one) => ({ ...one, required: false })) },
    typed.slice(0, start),
  )
  const before = "values" in read ? read.values : {}
  const next = named ?? asked.find(({ name }) => before[name] === undefined)
  if (next === undefined) return null
  const begun = named === undefined ? word : value
  return {
    name: next.name,
    typed: begun.replace(/^["']|["']$/g, ""),
    before,
    from: typed.length - begun.length,
    write: quoted,
  }
}

function quoted(value: string): string | null {
  if (!/[\s"']/.test(value)) return value
  const quote = value.includes('"') ? "'" : '"'
  return value.includes(quote) ? null : `${quote}${value}${quote}`
}

function unquoted(word: string): string {
  return word.replace(/^"(.*)"$|^'(.*)'$/s, (_, double?: string, single?: string) => double ?? single ?? "")
}
