import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { z } from "zod"

const Content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish()
const Request = z.object({
  messages: z.array(z.looseObject({ role: z.string(), content: Content })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
})

/** A call of the model: the last prompt, the results of tools since, and the tools that it may call. */
export interface AskedModel {
  prompt: string
  results: string[]
  tools: string[]
}

/** The words of an answer, and the calls after them. */
export interface ModelAnswer {
  text: string
  /** What the last word waits for. */
  beforeLast?: Promise<void>
  calls?: { name: string; args: object }[]
}

export interface ScriptedProvider {
  /** The configuration that makes it the only model of a user. */
  config: object
  stop(): Promise<void>
}

/** A model whose answers a test writes. Each word is a chunk of its own. */
export async function startScriptedProvider(
  script: (asked: AskedModel) => ModelAnswer | Promise<ModelAnswer>,
): Promise<ScriptedProvider> {
  const server = createServer((request, response) => {
    answer(request, response, script).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the provider has no port")
  const options = { baseURL: `http://127.0.0.1:${address.port}/v1`, apiKey: "test" }
  const models = { one: { name: "One", tool_call: true } }
  const provider = { scripted: { npm: "@ai-sdk/openai-compatible", name: "Scripted", options, models } }
  return {
    config: { model: "scripted/one", small_model: "scripted/one", provider, lsp: false },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: (asked: AskedModel) => ModelAnswer | Promise<ModelAnswer>,
): Promise<void> {
  let body = ""
  for await (const chunk of request) body += chunk
  const { messages, tools } = Request.parse(JSON.parse(body))
  const at = messages.findLastIndex(({ role }) => role === "user")
  const results = messages.slice(at).flatMap(({ role, content }) => (role === "tool" ? [textOf(content)] : []))
  const names = tools.map((tool) => tool.function.name)
  // What comes with a delegated prompt is not part of it.
  const prompt = textOf(messages[at]?.content).split("[END DELEGATION CONTEXT]").at(-1)?.trim() ?? ""
  const asked = { prompt, results, tools: names }
  // Only names of sessions are asked for without tools.
  const { text, beforeLast, calls = [] } = names.length === 0 ? { text: "A fine title" } : await script(asked)
  response.writeHead(200, { "content-type": "text/event-stream" })
  const write = (delta: object, finish: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const usage = finish === null ? null : { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "one", choices, usage }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  const words = text.split(/(?<= )/)
  for (const [index, word] of words.entries()) {
    if (index === words.length - 1) await beforeLast
    write({ role: "assistant", content: word })
  }
  for (const [index, { name, args }] of calls.entries()) {
    const called = { name, arguments: JSON.stringify(args) }
    write({ tool_calls: [{ index, id: `call_${results.length}_${index}`, type: "function", function: called }] })
  }
  write({}, calls.length > 0 ? "tool_calls" : "stop")
  response.end("data: [DONE]\n\n")
}

function textOf(content: z.output<typeof Content>): string {
  if (typeof content === "string") return content
  return (content ?? []).map(({ text = "" }) => text).join("\n")
}
