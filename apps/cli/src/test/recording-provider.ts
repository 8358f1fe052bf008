import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

export interface RecordedRequest {
  /** The value of the Authorization header. */
  key: string | undefined
  body: string
}

/** A chat completions endpoint that records the requests it receives. */
export interface RecordingProvider {
  port: number
  requests: RecordedRequest[]
  close(): Promise<void>
}

/**
 * In each conversation with tools, calls `bash` once with the command and then ends the turn.
 * @param answers what it says next, in this order; then "Done."
 */
export async function startRecordingProvider(command: string, answers: string[] = []): Promise<RecordingProvider> {
  const requests: RecordedRequest[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    requests.push({ key: request.headers.authorization, body })
    const isFirst = body.includes('"tools"') && !body.includes('"role":"tool"')
    const call = { index: 0, id: "call_1", type: "function", function: { name: "bash", arguments: bashInput(command) } }
    const content = (body.includes('"tools"') && !isFirst && answers.shift()) || "Done."
    const delta = { role: "assistant", ...(isFirst ? { tool_calls: [call] } : { content }) }
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(`${event(delta, null)}${event({}, isFirst ? "tool_calls" : "stop")}data: [DONE]\n\n`)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the provider has no port")
  return {
    port: address.port,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function bashInput(command: string): string {
  return JSON.stringify({ command, description: "Look around" })
}

function event(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`
}
