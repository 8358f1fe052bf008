import { z } from "zod"
import { checkOnce, isBlank, type Reply, refuseUnless, type Wire } from "./reply.ts"

const Piece = z.looseObject({ type: z.string(), text: z.string().optional() })
const Message = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(Piece)]).nullish(),
  reasoning_content: z.string().optional(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .optional(),
  tool_call_id: z.string().optional(),
})
type Message = z.infer<typeof Message>

const Body = z.looseObject({ messages: z.array(Message), tools: z.array(z.unknown()).optional() })

/** Chat completions in the strictest form that local servers require: user and assistant must alternate. */
export function chatWire(): Wire {
  return { check: (body) => check(Body.parse(body)), events }
}

function check({ messages, tools }: z.infer<typeof Body>): void {
  const spoken = messages.filter(({ role }, index) => role !== "system" || index > 0)
  refuseUnless(!spoken.some(({ role }) => role === "system"), "System message must be at the beginning.")
  refuseUnless(spoken[0]?.role === "user", "Conversation roles must alternate user/assistant, beginning with user")
  refuseUnless(spoken.at(-1)?.role !== "assistant", "Cannot have an assistant message at the end")
  const seen = new Set<string>()
  let open: string[] = []
  for (const [index, message] of spoken.entries()) {
    checkContent(message)
    if (message.role === "tool") {
      refuseUnless(message.tool_call_id === open.shift(), "tool message without its call before it, in order")
      continue
    }
    refuseUnless(open.length === 0, `tool_call_ids did not have response messages: ${open}`)
    refuseUnless(message.role !== spoken[index - 1]?.role, "Conversation roles must alternate user/assistant")
    open = (message.tool_calls ?? []).map((call) => checkCall(call, seen))
  }
  refuseUnless(open.length === 0, `tool_call_ids did not have response messages: ${open}`)
  checkReasoning(spoken)
  const calls = spoken.some(({ role }) => role === "tool")
  refuseUnless(!calls || tools?.length, "tools= param must be set when the conversation has tool calls")
}

/** In the current turn, models that reason between calls require their reasoning. */
function checkReasoning(spoken: Message[]): void {
  for (const message of spoken.slice(spoken.findLastIndex(({ role }) => role === "user"))) {
    const reasoned = !message.tool_calls?.length || !isBlank(message.reasoning_content)
    refuseUnless(reasoned, "Missing `reasoning_content` field in the assistant message")
  }
}

function checkContent({ role, content, tool_calls: calls = [] }: Message): void {
  const pieces = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? [])
  const empty = pieces.every(({ type, text }) => type === "text" && isBlank(text))
  const called = role === "assistant" && calls.length > 0
  refuseUnless(!empty || called, `the content of the ${role} message must not be empty`)
  for (const { type, text } of pieces) refuseUnless(type !== "text" || !isBlank(text), "blank text in a message")
}

function checkCall(call: NonNullable<Message["tool_calls"]>[number], seen: Set<string>): string {
  checkOnce(call.id, seen)
  refuseUnless(/^[\w-]{1,64}$/.test(call.function.name), "function.name: must match '^[a-zA-Z0-9_-]{1,64}$'")
  const input: unknown = JSON.parse(call.function.arguments)
  refuseUnless(typeof input === "object" && input !== null && !Array.isArray(input), "arguments must be an object")
  return call.id
}

function events({ reasoning, text, calls = [], cut = false, inputTokens = 10 }: Reply) {
  const chunk = (delta: unknown, finish: string | null = null) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const toolCalls = calls.map(({ id, tool, input }, index) => ({
    index,
    id,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(input) },
  }))
  const said = [
    ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning ?? "Hidden." })]),
    ...(text === undefined ? [] : [chunk({ content: text })]),
    ...toolCalls.map((call) => chunk({ tool_calls: [call] })),
  ]
  const finish = cut ? "length" : calls.length > 0 ? "tool_calls" : "stop"
  const usage = { prompt_tokens: inputTokens, completion_tokens: 5, total_tokens: inputTokens + 5 }
  return {
    begun: [chunk({ role: "assistant" }), ...said.slice(0, 1)],
    rest: [...said.slice(1), chunk({}, finish), { ...chunk({}), choices: [], usage }],
  }
}
