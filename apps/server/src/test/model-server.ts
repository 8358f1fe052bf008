import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { z } from "zod"

/** A server on this machine that answers as a model. */
export interface ModelServer {
  /** How a configuration names it as a provider with this one model. */
  provider: object
  stop(): Promise<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Serves a model in the words of OpenAI's chat completions. */
export async function startModelServer(model: { id: string; name: string }, answer: Answer): Promise<ModelServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the provider has no port")
  const options = { baseURL: `http://127.0.0.1:${address.port}/v1`, apiKey: "test" }
  const models = { [model.id]: { name: model.name, tool_call: true } }
  return {
    provider: { npm: "@ai-sdk/openai-compatible", name: model.name, options, models },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Usage of each call. */
export const callUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

/** Writes the pieces of one streamed answer. */
export function answerStream(response: ServerResponse, model: string) {
  response.writeHead(200, { "content-type": "text/event-stream" })
  const write = (delta: object, finish: string | null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const usage = finish === null ? null : callUsage
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model, choices, usage }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  return {
    text: (content: string) => write({ role: "assistant", content }, null),
    call(index: number, id: string, { name, args }: { name: string; args: object }) {
      const called = { name, arguments: JSON.stringify(args) }
      write({ tool_calls: [{ index, id, type: "function", function: called }] }, null)
    },
    end(finish: "tool_calls" | "stop") {
      write({}, finish)
      response.end("data: [DONE]\n\n")
    },
  }
}

/** The content of a message, as requests have it. */
export const Content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish()

export function textOf(content: z.output<typeof Content>): string {
  if (typeof content === "string") return content
  return (content ?? []).map(({ text = "" }) => text).join("\n")
}
