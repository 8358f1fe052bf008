import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from "@copilotkit/aimock"
import { compactionOpening, titleOpening } from "../setup/agent/prompts.ts"

/** The wire formats, each with its SDK package and the path under which it is served. */
export const wires = [
  { npm: "@ai-sdk/openai", path: "/v1", modelID: "gpt-scripted" },
  { npm: "@ai-sdk/openai-compatible", path: "/v1", modelID: "scripted" },
  { npm: "@ai-sdk/anthropic", path: "/v1", modelID: "claude-scripted" },
  { npm: "@ai-sdk/google", path: "/v1beta", modelID: "gemini-scripted" },
] as const

/** What the model answers: text, or one tool call. */
export type WindowAnswer = string | { tool: string; args: Record<string, unknown> }

export interface WindowProviderOptions {
  /** Maximum number of tokens in a request; a longer one is refused like by the real provider. */
  window: number
  /** Different windows, by model. */
  windows?: Record<string, number>
  answer(request: ChatCompletionRequest): WindowAnswer
  summary?(request: ChatCompletionRequest): string
  /** Accepts a longer request silently, reads as much as fits, and counts only that. */
  cutsSilently?: boolean
  /** Characters per token; 1 when left out. */
  charactersPerToken?: number
}

export interface WindowProvider extends AsyncDisposable {
  url: string
  options: WindowProviderOptions
  /** Accepted requests for work and for summaries, in order; requests for titles are left out. */
  requests: { purpose: "work" | "summary"; tokens: number; text: string }[]
  refusals: number
}

/** A provider with the real wire formats over HTTP that counts the tokens of a request and enforces its window. */
export async function startWindowProvider(options: WindowProviderOptions): Promise<WindowProvider> {
  const mock = new LLMock({ logLevel: "silent" })
  mock.addFixture({ match: { predicate: () => true }, response: (request) => respond(provider, request) })
  const upstream = await mock.start()
  const server = createServer((request, response) => {
    void relay(provider, upstream, { request, response }).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the provider has no port")
  const provider: WindowProvider = {
    url: `http://127.0.0.1:${address.port}`,
    options,
    requests: [],
    refusals: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await mock.stop()
    },
  }
  return provider
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

async function relay(provider: WindowProvider, upstream: string, { request, response }: Exchange): Promise<void> {
  const body = await text(request)
  const path = request.url ?? "/"
  const content: { model?: string } = JSON.parse(body)
  const tokens = countTokens(provider, content)
  const window = provider.options.windows?.[content.model ?? ""] ?? provider.options.window
  if (tokens > window && !provider.options.cutsSilently) {
    provider.refusals += 1
    const refusal = refusalOf(path, { tokens, window })
    response.writeHead(400, { "content-type": "application/json" })
    response.end(JSON.stringify(refusal))
    return
  }
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && !["host", "connection", "content-length"].includes(name) ? [[name, value]] : [],
  )
  const answer = await fetch(upstream + path, { method: "POST", headers, body })
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/event-stream" })
  if (answer.body === null) response.end()
  // The stream types of the web and of Node differ only in name.
  else await pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), response)
}

/** The error message of each provider for a request that is too long. */
function refusalOf(path: string, { tokens, window }: { tokens: number; window: number }): object {
  if (path.startsWith("/v1/messages")) {
    const message = `prompt is too long: ${tokens} tokens > ${window} maximum`
    return { type: "error", error: { type: "invalid_request_error", message } }
  }
  if (path.startsWith("/v1beta")) {
    const message = `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`
    return { error: { code: 400, message, status: "INVALID_ARGUMENT" } }
  }
  const code = "context_length_exceeded"
  const message = path.startsWith("/v1/responses")
    ? "Your input exceeds the context window of this model. Please adjust your input and try again."
    : `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
  return { error: { message, type: "invalid_request_error", param: "messages", code } }
}

function respond(provider: WindowProvider, request: ChatCompletionRequest): FixtureResponse {
  const sent = countTokens(provider, request)
  const tokens = provider.options.cutsSilently ? Math.min(sent, provider.options.window) : sent
  const usage = { prompt_tokens: tokens, input_tokens: tokens, promptTokenCount: tokens }
  const said = { completion_tokens: 20, output_tokens: 20, candidatesTokenCount: 20 }
  const system = request.messages.find((message) => message.role === "system")?.content
  const opening = typeof system === "string" ? system : ""
  if (opening.startsWith(titleOpening)) return { content: "A title", usage: { ...usage, ...said } }
  const purpose = opening.startsWith(compactionOpening) ? "summary" : "work"
  provider.requests.push({ purpose, tokens, text: JSON.stringify(request.messages) })
  const { answer, summary = () => "## Objective\nGo on." } = provider.options
  const reply = purpose === "summary" ? summary(request) : answer(request)
  if (typeof reply === "string") return { content: reply, usage: { ...usage, ...said } }
  // Gemini ends a turn with function calls with STOP; the emulator's default value would end the loop.
  const finish = request.model.startsWith("gemini") ? { finishReason: "stop" } : {}
  const toolCalls = [{ name: reply.tool, arguments: JSON.stringify(reply.args) }]
  return { content: "", toolCalls, usage: { ...usage, ...said }, ...finish }
}

/** All text of a request counts, except its tool definitions. */
function countTokens({ options }: WindowProvider, body: unknown): number {
  return Math.ceil(charactersIn(body) / (options.charactersPerToken ?? 1))
}

function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 0
  return Object.entries(value).reduce((sum, [key, item]) => sum + (key === "tools" ? 0 : charactersIn(item)), 0)
}
