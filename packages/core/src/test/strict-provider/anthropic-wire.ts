import { createHash } from "node:crypto"
import { z } from "zod"
import { checkOnce, isBlank, type Reply, refuseUnless, type Wire } from "./reply.ts"

const Source = z.object({
  type: z.string(),
  media_type: z.string().optional(),
  data: z.string().optional(),
  url: z.string().optional(),
})
const Block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), source: Source }),
  z.object({ type: z.literal("document"), source: Source }),
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.unknown())]),
    is_error: z.boolean().optional(),
  }),
])
type Block = z.infer<typeof Block>

const Body = z.looseObject({
  system: z.array(z.object({ type: z.literal("text"), text: z.string() })).optional(),
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.array(Block) })).min(1),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  thinking: z.looseObject({ type: z.string() }).optional(),
})
type Body = z.infer<typeof Body>

const images = ["image/jpeg", "image/png", "image/gif", "image/webp"]

/** The Messages API of Anthropic. */
export function anthropicWire(): Wire {
  return { check: (body) => check(Body.parse(body)), events }
}

function check({ system = [], messages, tools, thinking }: Body): void {
  for (const { text } of system) refuseUnless(!isBlank(text), "system: text content blocks must be non-empty")
  refuseUnless(messages[0]?.role === "user", "messages: first message must use the user role")
  refuseUnless(messages.at(-1)?.role === "user", "This model does not support assistant message prefill")
  const seen = new Set<string>()
  for (const [index, message] of messages.entries()) {
    refuseUnless(message.content.length > 0, `messages.${index}: all messages must have non-empty content`)
    for (const block of message.content) checkBlock(block, seen)
    checkPairs(messages[index - 1]?.content ?? [], message.content)
    if (message.role === "assistant") checkEnd(message.content)
  }
  const calls = messages.some(({ content }) => content.some(({ type }) => type === "tool_use"))
  refuseUnless(!calls || tools?.length, "Requests which include `tool_use` or `tool_result` blocks must define tools")
  if (thinking?.type === "enabled") checkThinking(messages)
}

function checkBlock(block: Block, seen: Set<string>): void {
  switch (block.type) {
    case "text":
      refuseUnless(!isBlank(block.text), "messages: text content blocks must contain non-whitespace text")
      break
    case "thinking":
      refuseUnless(block.signature === sign(block.thinking), "Invalid `signature` in `thinking` block")
      break
    case "tool_use":
      refuseUnless(/^[\w-]+$/.test(block.id), "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
      refuseUnless(/^[\w-]{1,128}$/.test(block.name), "tool_use.name: String should match '^[a-zA-Z0-9_-]{1,128}$'")
      checkOnce(block.id, seen)
      break
    case "tool_result":
      refuseUnless(!block.is_error || block.content.length > 0, "content cannot be empty if `is_error` is true")
      break
    case "image":
      checkSource(block.source, images)
      break
    case "document":
      checkSource(block.source, ["application/pdf", "text/plain"])
      break
    case "redacted_thinking":
      break
  }
}

function checkSource({ type, media_type: mediaType = "", data, url }: z.infer<typeof Source>, types: string[]): void {
  if (type === "url") {
    refuseUnless(URL.canParse(url ?? ""), "source.url: not a URL")
    return
  }
  refuseUnless(types.includes(mediaType), `source.media_type: Input should be one of ${types.join(", ")}`)
  refuseUnless(data, "source.data: cannot be empty")
}

/** Each call must have a result, at the start of the message right after it. */
function checkPairs(before: Block[], content: Block[]): void {
  const asked = before.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
  const answered = content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []))
  const missing = asked.filter((id) => !answered.includes(id))
  refuseUnless(missing.length === 0, `tool_use ids were found without tool_result blocks immediately after: ${missing}`)
  const orphans = answered.filter((id) => !asked.includes(id))
  refuseUnless(orphans.length === 0, `unexpected tool_use_id found in tool_result blocks: ${orphans}`)
  refuseUnless(new Set(answered).size === answered.length, "each tool_use must have a single result")
  const first = content.findIndex(({ type }) => type !== "tool_result")
  const late = content.slice(first < 0 ? content.length : first).some(({ type }) => type === "tool_result")
  refuseUnless(!late, "tool_result blocks must come first in the content")
}

function checkEnd(content: Block[]): void {
  const last = content.at(-1)?.type ?? ""
  refuseUnless(!last.endsWith("thinking"), "The final block in an assistant message cannot be `thinking`")
}

/** Open calls must be sent back together with the thinking before them. */
function checkThinking(messages: Body["messages"]): void {
  const begin = messages.findLastIndex(
    ({ role, content }) => role === "user" && content.some(({ type }) => type === "text"),
  )
  for (const { role, content } of messages.slice(begin)) {
    if (role !== "assistant" || !content.some(({ type }) => type === "tool_use")) continue
    const first = content[0]?.type ?? ""
    refuseUnless(first.endsWith("thinking"), `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\``)
  }
}

function sign(thinking: string): string {
  return `sig-${createHash("sha256").update(thinking).digest("hex").slice(0, 24)}`
}

function events({ reasoning, text, calls = [], cut = false, inputTokens = 10 }: Reply) {
  const blocks: unknown[][] = []
  const add = (block: unknown, ...deltas: unknown[]) => {
    const index = blocks.length
    blocks.push([
      { type: "content_block_start", index, content_block: block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ])
  }
  if (reasoning === null) add({ type: "redacted_thinking", data: "hidden" })
  if (typeof reasoning === "string") {
    const signature = { type: "signature_delta", signature: sign(reasoning) }
    add({ type: "thinking", thinking: "" }, { type: "thinking_delta", thinking: reasoning }, signature)
  }
  if (text !== undefined) add({ type: "text", text: "" }, { type: "text_delta", text })
  for (const { id, tool, input } of calls) {
    const json = { type: "input_json_delta", partial_json: JSON.stringify(input) }
    add({ type: "tool_use", id, name: tool, input: {} }, json)
  }
  const stop = cut ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn"
  const usage = { input_tokens: inputTokens, output_tokens: 1 }
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage }
  return {
    begun: [{ type: "message_start", message }, ...blocks.flat().slice(0, 2)],
    rest: [
      ...blocks.flat().slice(2),
      { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: "message_stop" },
    ],
  }
}
