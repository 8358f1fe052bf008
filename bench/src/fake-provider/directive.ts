import { z } from "zod"

const ToolCall = z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) })

/**
 * What the fake model does in one turn, written into the prompt as `bench:{…}`: `steps` answers that each call `call`
 * (if it has several, in rotation), or one answer that delegates to `children` children; then a final answer of
 * `chunks` text chunks.
 */
const Directive = z.object({
  /** The provider's own time is added up under this id. */
  id: z.string(),
  /** Milliseconds before each answer. */
  latency: z.number().nonnegative().default(0),
  steps: z.number().int().nonnegative().default(0),
  call: z.union([ToolCall, z.array(ToolCall)]).optional(),
  /** How often the call stands in each of these answers. */
  together: z.number().int().positive().default(1),
  children: z.number().int().nonnegative().default(0),
  childPrompt: z.string().optional(),
  chunks: z.number().int().positive().default(4),
  /** Milliseconds between text chunks. If set, each chunk contains its sending time: `sent:<epoch ms>`. */
  every: z.number().nonnegative().default(0),
})
export type Directive = z.infer<typeof Directive>
export type DirectiveInput = z.input<typeof Directive>

export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z
        .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
        .nullish(),
      tool_calls: z.array(z.unknown()).optional(),
    }),
  ),
  tools: z.array(z.unknown()).optional(),
})
export type ChatRequest = z.infer<typeof ChatRequest>

/** The text of a prompt that makes the fake model follow `directive`. */
export function toPrompt(directive: DirectiveInput): string {
  return `bench:${JSON.stringify(directive)}`
}

/** The directive in the newest user message that has one, and the number of steps answered since then. */
export function readDirective(request: ChatRequest): { directive: Directive; step: number } | null {
  let step = 0
  for (const message of request.messages.toReversed()) {
    if (message.role === "assistant" && message.tool_calls?.length) step++
    if (message.role !== "user") continue
    const line = textOf(message)
      .split("\n")
      .find((candidate) => candidate.startsWith("bench:"))
    if (line) return { directive: Directive.parse(JSON.parse(line.slice("bench:".length))), step }
  }
  return null
}

function textOf({ content }: ChatRequest["messages"][number]): string {
  if (typeof content === "string") return content
  return (content ?? []).map((part) => part.text ?? "").join("\n")
}
