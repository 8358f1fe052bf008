import type { IncomingMessage, ServerResponse } from "node:http"
import { text as textFrom } from "node:stream/consumers"
import { z } from "zod"
import { answerStream, Content, startModelServer, textOf } from "./model-server.ts"

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
  const { provider, stop } = await startModelServer({ id: "one", name: "One" }, (request, response) =>
    answer(request, response, script),
  )
  const config = { model: "scripted/one", small_model: "scripted/one", provider: { scripted: provider }, lsp: false }
  return { config, stop }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: (asked: AskedModel) => ModelAnswer | Promise<ModelAnswer>,
): Promise<void> {
  const { messages, tools } = Request.parse(JSON.parse(await textFrom(request)))
  const at = messages.findLastIndex(({ role }) => role === "user")
  const results = messages.slice(at).flatMap(({ role, content }) => (role === "tool" ? [textOf(content)] : []))
  const names = tools.map((tool) => tool.function.name)
  // What comes with a delegated prompt is not part of it.
  const prompt = textOf(messages[at]?.content).split("[END DELEGATION CONTEXT]").at(-1)?.trim() ?? ""
  const asked = { prompt, results, tools: names }
  // Only names of sessions are asked for without tools.
  const { text, beforeLast, calls = [] } = names.length === 0 ? { text: "A fine title" } : await script(asked)
  const stream = answerStream(response, "one")
  const words = text.split(/(?<= )/)
  for (const [index, word] of words.entries()) {
    if (index === words.length - 1) await beforeLast
    stream.text(word)
  }
  for (const [index, call] of calls.entries()) stream.call(index, `call_${results.length}_${index}`, call)
  stream.end(calls.length > 0 ? "tool_calls" : "stop")
}
