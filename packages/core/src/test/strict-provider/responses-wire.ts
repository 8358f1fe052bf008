import { randomUUID } from "node:crypto"
import { z } from "zod"
import { checkOnce, isBlank, type Reply, refuseUnless, type Wire } from "./reply.ts"

const Piece = z.looseObject({ type: z.string(), text: z.string().optional() })
const Item = z.looseObject({
  type: z.string().optional(),
  id: z.string().optional(),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(Piece)]).optional(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  encrypted_content: z.string().nullish(),
})
type Item = z.infer<typeof Item>

const Body = z.looseObject({ input: z.array(Item).min(1), store: z.boolean().optional() })
type Body = z.infer<typeof Body>

/** The Responses API of OpenAI, with a reasoning model. */
export function responsesWire(): Wire {
  /** Stored items of complete answers, by id. */
  const stored = new Map<string, Item>()
  return {
    check: (body) => check(Body.parse(body), stored),
    events: (reply, body) => events(reply, stored, Body.parse(body).store !== false),
  }
}

function check({ input, store = true }: Body, stored: Map<string, Item>): void {
  const items = input.map((item) => {
    if (item.type === "reasoning" && !store) checkEncrypted(item)
    if (item.type !== "item_reference") return item
    const found = stored.get(item.id ?? "")
    refuseUnless(found, `Item with id '${item.id}' not found.`)
    return found
  })
  const asked = new Set<string>()
  const answered = new Set<string>()
  for (const [index, item] of items.entries()) {
    if (item.type === "reasoning") checkFollowed(item, items[index + 1])
    if (item.type === "function_call") checkCall(item, asked)
    if (item.type === "function_call_output") {
      refuseUnless(
        asked.has(item.call_id ?? ""),
        `No tool call found for function call output with call_id ${item.call_id}`,
      )
      checkOnce(item.call_id ?? "", answered)
    }
    if (item.role !== undefined) checkContent(item)
  }
  const missing = [...asked].filter((id) => !answered.has(id))
  refuseUnless(missing.length === 0, `No tool output found for function call ${missing}`)
}

function checkEncrypted({ id, encrypted_content: content }: Item): void {
  refuseUnless(content === encrypted(id ?? ""), `The encrypted content of '${id}' could not be verified.`)
}

/** A reasoning item must be followed by its result. */
function checkFollowed({ id }: Item, next: Item | undefined): void {
  const followed = next?.type === "function_call" || next?.type === "message" || next?.role === "assistant"
  refuseUnless(followed, `Item '${id}' of type 'reasoning' was provided without its required following item.`)
}

function checkCall({ call_id: id = "", name = "", arguments: input = "" }: Item, asked: Set<string>): void {
  checkOnce(id, asked)
  refuseUnless(/^.{1,64}$/.test(id), "call_id: string too long")
  refuseUnless(/^[\w-]{1,64}$/.test(name), "name: string does not match pattern '^[a-zA-Z0-9_-]+$'")
  const value: unknown = JSON.parse(input)
  refuseUnless(typeof value === "object" && value !== null && !Array.isArray(value), "arguments must be an object")
}

function checkContent({ role, content = "" }: Item): void {
  const pieces = typeof content === "string" ? [{ type: "input_text", text: content }] : content
  refuseUnless(pieces.length > 0, `content of the ${role} message is empty`)
  for (const { type, text } of pieces) refuseUnless(!type.endsWith("text") || !isBlank(text), "blank text in a message")
}

const encrypted = (id: string) => `encrypted ${id}`

function events(reply: Reply, stored: Map<string, Item>, store: boolean) {
  const { reasoning, text, calls = [], cut = false, inputTokens = 10 } = reply
  const made = [
    ...(reasoning === undefined ? [] : [reasoningItem(reasoning)]),
    ...(text === undefined ? [] : [messageItem(text)]),
    ...calls.map(callItem),
  ]
  const streamed = made.flatMap(({ added, deltas, done }, index) => [
    { type: "response.output_item.added", output_index: index, item: added },
    ...deltas.map((delta) => ({ ...delta, output_index: index, item_id: added.id })),
    { type: "response.output_item.done", output_index: index, item: done },
  ])
  const id = `resp_${randomUUID()}`
  const usage = { input_tokens: inputTokens, output_tokens: 5 }
  const end = cut
    ? { type: "response.incomplete", response: { id, incomplete_details: { reason: "max_output_tokens" }, usage } }
    : { type: "response.completed", response: { id, usage } }
  // An answer whose reader disconnected is not stored.
  if (store && !reply.hangs && !reply.breaks) for (const { done } of made) stored.set(done.id, done)
  const created = { type: "response.created", response: { id, created_at: 1, model: "m" } }
  return { begun: [created, ...streamed.slice(0, 2)], rest: [...streamed.slice(2), end] }
}

interface Made {
  added: { id: string; [key: string]: unknown }
  deltas: object[]
  done: Item & { id: string }
}

function reasoningItem(reasoning: string | null): Made {
  const id = `rs_${randomUUID()}`
  const item = { type: "reasoning", id, summary: [] }
  const part = { summary_index: 0 }
  const deltas =
    reasoning === null
      ? []
      : [
          { type: "response.reasoning_summary_part.added", ...part },
          { type: "response.reasoning_summary_text.delta", ...part, delta: reasoning },
          { type: "response.reasoning_summary_part.done", ...part },
        ]
  return { added: item, deltas, done: { ...item, encrypted_content: encrypted(id) } }
}

function messageItem(text: string): Made {
  const id = `msg_${randomUUID()}`
  const item = { type: "message", id, role: "assistant", content: [] }
  const done = { ...item, content: [{ type: "output_text", text, annotations: [] }] }
  return { added: item, deltas: [{ type: "response.output_text.delta", delta: text }], done }
}

function callItem({ id: callID, tool, input }: NonNullable<Reply["calls"]>[number]): Made {
  const id = `fc_${randomUUID()}`
  const item = { type: "function_call", id, call_id: callID, name: tool }
  const json = JSON.stringify(input)
  const deltas = [{ type: "response.function_call_arguments.delta", delta: json }]
  return { added: { ...item, arguments: "" }, deltas, done: { ...item, arguments: json, status: "completed" } }
}
