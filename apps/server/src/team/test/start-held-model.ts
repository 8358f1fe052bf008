import { createServer, type ServerResponse } from "node:http"
import { listen } from "../../listen.ts"

export interface HeldModel {
  /** Settings that make a service use only this model. */
  config: string
  /** Resolves when this many calls wait for their answers. */
  waits(count: number): Promise<void>
  /** Answers the waiting calls; with `always`, later calls at once too. */
  answer(always?: "always"): void
  /** Holds later calls back again. */
  hold(): void
  stop(): Promise<void>
}

/** A model that answers when the test says so. */
export async function startHeldModel(): Promise<HeldModel> {
  const waiting = new Set<ServerResponse>()
  const watchers = new Set<() => void>()
  let isOpen = false
  const finish = (response: ServerResponse) => {
    waiting.delete(response)
    const write = (delta: object, finish_reason: string | null) => {
      const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "held" }
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`)
    }
    write({ role: "assistant", content: "Done." }, null)
    write({}, "stop")
    response.end("data: [DONE]\n\n")
  }
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.once("close", () => waiting.delete(response))
    waiting.add(response)
    if (isOpen) finish(response)
    else for (const watch of watchers) watch()
  })
  const url = await listen(server, "127.0.0.1", 0)
  const options = { baseURL: `${url}/v1`, apiKey: "test" }
  const provider = {
    held: { npm: "@ai-sdk/openai-compatible", name: "Held", options, models: { held: { name: "Held" } } },
  }
  return {
    config: JSON.stringify({ model: "held/held", small_model: "held/held", permission: "allow", provider }),
    waits: (count) =>
      new Promise((resolve) => {
        const watch = () => {
          if (waiting.size < count) return
          watchers.delete(watch)
          resolve()
        }
        watchers.add(watch)
        watch()
      }),
    answer(always) {
      isOpen = always !== undefined
      for (const response of waiting) finish(response)
    },
    hold() {
      isOpen = false
    },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
